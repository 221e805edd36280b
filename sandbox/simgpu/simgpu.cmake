# The simulated GPU's room.
warpgrade_room(warpgrade_simgpu SOURCES sandbox/simgpu/*.c LINKS warpgrade_base m Threads::Threads)
