paper_tables lau-zhang --max-n 4 --format csv
