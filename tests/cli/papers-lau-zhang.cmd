paper_tables lau-zhang --max-n 8
