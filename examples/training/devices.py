#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""devices.py SCHEDULE STEPS OUT: the training of train.c by the devices of JAX, here sixteen virtual ones of a CPU.

A device has a host's points, computes its gradient, and gossipfab.jax.all_reduce adds up in bfloat16 by the schedule.
OUT is as train writes it. XLA contracts a product and a sum behind it into one operation where the processor has one,
which would give other bits than train.c's: so it is told to do without."""
import os
import sys

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=16 --xla_cpu_max_isa=AVX"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import gossipfab  # noqa: E402
import gossipfab.jax  # noqa: E402
import train  # noqa: E402

HIDDEN, NUMBERS, POINTS, LENGTH = train.HIDDEN, train.NUMBERS, train.POINTS, train.LENGTH


def bend(z):
    return z / (1 + jnp.abs(z))


def slope(a):
    return (1 - jnp.abs(a)) * (1 - jnp.abs(a))


def one_by_one(start, terms):
    """start + terms[0] + terms[1] .., in this order."""
    return jax.lax.scan(lambda total, term: (total + term, None), start, terms)[0]


def gradient(network, points, targets):
    """Of a device's points, one after the other: LENGTH numbers, the loss behind those of the network."""
    n = train.parts(network)
    first = bend((n["b1"] + n["w1"][0] * points[:, :1]) + n["w1"][1] * points[:, 1:])
    second = bend(one_by_one(jnp.broadcast_to(n["b2"], first.shape), n["w2"][:, None, :] * first.T[:, :, None]))
    error = one_by_one(jnp.broadcast_to(n["b3"], targets.shape), n["w3"][:, None] * second.T) - targets
    back = error[:, None] * n["w3"] * slope(second)
    total = one_by_one(jnp.zeros_like(first), n["w2"].T[:, None, :] * back.T[:, :, None])
    z = total * slope(first)
    own = [z[:, None, :] * points[:, :, None], z, first[:, :, None] * back[:, None, :], back, error[:, None] * second, error,
           0.5 * error * error]
    terms = jnp.concatenate([part.reshape(len(targets), -1) for part in own], axis=1)
    terms = jnp.pad(terms, ((0, 0), (0, LENGTH - terms.shape[1])))
    return one_by_one(jnp.zeros_like(terms[0]), terms)


def total_of(schedule, vector):
    """The fabric's blocks: element i is in block i mod 256 / 16."""
    blocks = vector.reshape(-1, train.BLOCKS, train.ELEMENTS).swapaxes(0, 1)
    total = gossipfab.jax.all_reduce(blocks, schedule, "hosts")
    return total.swapaxes(0, 1).reshape(LENGTH)


def main():
    schedule, steps = gossipfab.Schedule.read(sys.argv[1]), int(sys.argv[2])

    def step(network, mean, square, points, targets):
        # A device's own gradient is wanted: JAX would add up that of a network which is the same everywhere.
        own = gradient(jax.lax.pcast(network, "hosts", to="varying"), points, targets).astype(jnp.bfloat16)
        total = total_of(schedule, own)
        g = total[:NUMBERS].astype(jnp.float32) / POINTS
        mean = 0.9 * mean + 0.1 * g
        square = 0.99 * square + 0.01 * g * g
        return network - 0.01 * mean / (jnp.sqrt(square) + 1e-6), mean, square, total
    mesh = jax.make_mesh((train.HOSTS,), ("hosts",), axis_types=(jax.sharding.AxisType.Auto,))
    step = jax.jit(jax.shard_map(step, mesh=mesh, in_specs=(P(), P(), P(), P("hosts"), P("hosts")), out_specs=P()))
    points, targets = train.make_points()
    network, mean, square = train.make_network(), np.zeros(NUMBERS, np.float32), np.zeros(NUMBERS, np.float32)
    totals = []
    for _ in range(steps):
        network, mean, square, total = step(network, mean, square, points, targets)
        totals.append(np.asarray(total))
    with open(sys.argv[3], "wb") as out:
        out.write(np.stack(totals).view(np.uint16).astype("<u2").tobytes() + np.asarray(network).astype("<f4").tobytes())
    loss = float(totals[-1][NUMBERS]) / POINTS
    print(f"JAX: {len(mesh.devices)} devices, loss {loss:.4f} after {steps} steps")


main()
