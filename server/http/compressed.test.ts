import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCompressed } from './compressed'

const text = JSON.stringify({ names: Array.from({ length: 200 }, () => 'Åsa Öberg') })

async function ask(
  compressed = createCompressed(),
  acceptEncoding: string | null = 'gzip, deflate, br',
  written = text,
) {
  const headers = acceptEncoding === null ? {} : { 'accept-encoding': acceptEncoding }
  const request = new Request('http://x.test/', { headers })
  let times = 0
  const write = () => {
    times += 1
    return written
  }
  const response = await compressed.respond(request, { key: 'all', write }, { 'content-type': 'application/json' })
  return { response, body: Buffer.from(await response.arrayBuffer()), times: () => times }
}

test('is written and compressed once for all who take it so, and says that it depends on what is accepted', async () => {
  const compressed = createCompressed()
  const first = await ask(compressed)
  expect(gunzipSync(first.body).toString()).toBe(text)
  expect(Object.fromEntries(first.response.headers)).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json',
    vary: 'accept-encoding',
  })
  const second = await ask(compressed)
  expect([first.times(), second.times()]).toEqual([1, 0])
  expect(second.body.equals(first.body)).toBe(true)
})

test.each([null, '', 'br', 'identity', 'gzip;q=0', 'gzip; q=0.0', 'notgzip'])(
  'whoever accepts %j is sent it plain',
  async (accepted) => {
    const { response, body } = await ask(createCompressed(), accepted)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(body.toString()).toBe(text)
  },
)

test.each(['gzip', 'GZIP', 'br;q=1.0, gzip;q=0.8, *;q=0.1', 'deflate,x-gzip'])('%j accepts it', async (accepted) => {
  expect((await ask(createCompressed(), accepted)).response.headers.get('content-encoding')).toBe('gzip')
})

test('what could not be written is written anew for the next', async () => {
  const compressed = createCompressed()
  const request = new Request('http://x.test/', { headers: { 'accept-encoding': 'gzip' } })
  const write = () => {
    throw new Error('away')
  }
  await expect(compressed.respond(request, { key: 'all', write }, {})).rejects.toThrow('away')
  expect((await ask(compressed)).times()).toBe(1)
})
