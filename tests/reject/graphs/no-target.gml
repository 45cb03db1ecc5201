graph [
  edge [ source 0 ]
]
