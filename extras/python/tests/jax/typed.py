# SPDX-License-Identifier: MIT
# What a user of gossipfab.jax writes, as mypy --strict reads it.
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

import gossipfab
import gossipfab.jax

mesh = jax.make_mesh((2, 4), ("x", "y"))
schedule: gossipfab.Schedule = gossipfab.jax.schedule_for(mesh, "all-reduce", 4096, dead=[(0, 1)], one_bracket=True)
graph: gossipfab.Topology = gossipfab.jax.topology_of_mesh(mesh, ("x", "y"), wrap=[True, False])
advice: gossipfab.LengthAdvice = gossipfab.advise_length(graph, "all-reduce", 4096, latency=0.5, bandwidth=100)[0]
time: float = advice.microseconds


def add_up(x: jax.Array) -> jax.Array:
    total: jax.Array = gossipfab.jax.all_reduce(x, schedule, ("x", "y"))
    return total


add_up_all = jax.jit(jax.shard_map(add_up, mesh=mesh, in_specs=P("x", "y"), out_specs=P()))  # type: ignore[no-untyped-call]
sizes: list[int] = [jnp.ones(8).size, graph.nodes]
