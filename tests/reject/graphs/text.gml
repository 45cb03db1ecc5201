graph [
  comment "without an end
]
