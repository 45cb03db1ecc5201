paper_tables circgo
paper_tables circgo --sides 64 --startups 0.5,10 --format csv
