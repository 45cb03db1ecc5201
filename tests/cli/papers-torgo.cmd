paper_tables torgo --sides 27,81
paper_tables cubgo --sides 9 --startups 10 --format csv
