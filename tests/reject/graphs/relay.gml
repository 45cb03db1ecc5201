graph [
  node [ id 0 relay maybe ]
]
