graph [
  directed 1
  edge [ source 0 target 1 ]
]
