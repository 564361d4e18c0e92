-- A Neovim as a client: it knows MessagePack-RPC and nothing of weft. Asserts as it goes; the last line it
-- prints is "neovim: all done", which test_neovim.py waits for.
local address = assert(os.getenv("WEFT_ADDRESS"))

local function floats(bytes)
  -- Little-endian f32, by hand: the Lua inside has no string.unpack.
  local out = {}
  for at = 1, #bytes, 4 do
    local a, b, c, d = bytes:byte(at, at + 3)
    local sign = d >= 128 and -1 or 1
    local exponent = (d % 128) * 2 + math.floor(c / 128)
    local mantissa = (c % 128) * 65536 + b * 256 + a
    if exponent == 0 then
      out[#out + 1] = sign * mantissa * 2 ^ -149
    else
      out[#out + 1] = sign * (mantissa + 2 ^ 23) * 2 ^ (exponent - 150)
    end
  end
  return out
end

local function main()
  local channel = vim.fn.sockconnect("tcp", address, { rpc = true })
  assert(channel > 0, "no channel")
  local function call(method, fields)
    return vim.rpcrequest(channel, method, fields or vim.empty_dict())
  end

  local hello = call("session.hello", { client = "neovim", user = "vim", arrays = "bin" })
  assert(hello.name == "weft" and hello.arrays == "bin")
  -- All of server.info passes through: no integer too large, no key that is not a string.
  local info = call("server.info")
  assert(#info.methods > 30 and info.limits.message_bytes > 0)

  local world = call("world.create", { name = "from neovim", substeps = 4 }).world
  assert(world >= 1)
  call("world.join", { world = world })

  -- A triangle from blobs (which Neovim sends as str) in Vim script: (0,0,0) (1,0,0) (0,0,1), indices 0 1 2.
  vim.g.channel, vim.g.world = channel, world
  vim.cmd([[
    let g:added = rpcrequest(g:channel, 'body.add', {'world': g:world, 'kind': 'cloth', 'name': 'blobs',
      \ 'positions': 0z00000000.00000000.00000000.0000803F.00000000.00000000.00000000.00000000.0000803F,
      \ 'triangles': 0z00000000.01000000.02000000, 'pins': [0]})
  ]])
  assert(vim.g.added.particles == 3 and vim.g.added.constraints.distance.count == 3)

  -- The same from plain lists, some of whose numbers are integers.
  local plain = call("body.add", {
    world = world, kind = "cloth", name = "lists",
    positions = { 0, 0, 0, 1, 0, 0, 0, 0, 1.0 }, triangles = { 0, 1, 2 }, pins = { 0 },
  })
  assert(plain.particles == 3)

  -- Frames and edits arrive as notifications that it has no handler for; it says so, and all goes on.
  local stream = call("stream.subscribe", { world = world, fields = { "positions", "velocities" } }).stream
  assert(call("world.step", { world = world, ticks = 30 }).tick == 30)
  call("world.set", { world = world, damping = 0.5 })

  local by_bytes = call("body.state", { world = world, body = "blobs", fields = { "positions" } })
  assert(type(by_bytes.positions) == "string" and #by_bytes.positions == 36, "bin comes as a string")
  local fallen = floats(by_bytes.positions)
  assert(fallen[1] == 0 and fallen[2] == 0 and fallen[3] == 0, "the pin holds")
  assert(fallen[5] < -0.1, "the rest falls")

  call("session.hello", { arrays = "plain" })
  local by_list = call("body.state", { world = world, body = "lists", fields = { "positions" } })
  assert(type(by_list.positions) == "table" and #by_list.positions == 9)
  for index = 1, 9 do
    assert(by_list.positions[index] == fallen[index], "both encodings say the same")
  end

  local ok, message = pcall(call, "world.get", { world = "nowhere" })
  assert(not ok and message:find("NOT_FOUND: ", 1, true) and message:find("nowhere", 1, true), message)
  ok, message = pcall(call, "body.add", { world = world, kind = "cloth", positions = { 0 / 0, 0, 0 }, triangles = {} })
  assert(not ok and message:find("INVALID: ", 1, true) and message:find("positions", 1, true), message)
  print("an error reads: " .. message)

  -- What it answered to the notifications reached the server and did no harm.
  vim.wait(200)
  local ignored = call("server.stats").notifications_ignored
  assert(ignored >= 4, "edits and frames reached Neovim: " .. ignored)
  call("world.play", { world = world })
  vim.wait(500)
  call("world.pause", { world = world })
  assert(call("server.stats").notifications_ignored > ignored + 10, "frames went on arriving")
  call("stream.unsubscribe", { stream = stream })
  call("world.delete", { world = world })
  print(call("server.stats").notifications_ignored .. " notifications survived")
  vim.fn.chanclose(channel)
end

local ok, message = xpcall(main, debug.traceback)
if not ok then
  print(message)
  vim.cmd("cquit 1")
end
print("neovim: all done")
vim.cmd("qall!")
