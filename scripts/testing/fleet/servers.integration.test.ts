import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '@/scripts/testing/free-port'
import { temporaryFolder } from '@/server/testing/folder'
import { ask } from './ask'
import { createProxy, missingPrograms, type Server } from './servers'

const canRun = !missingPrograms().some((name) => name === 'nginx' || name === 'openssl')
test.skipIf(canRun)('no nginx on this machine: what it passes on is not tested here', () => {
  expect(process.env.CI, 'under CI there must be nginx and openssl').not.toBe('true')
})

describe.runIf(canRun)('nginx before two instances', () => {
  const state = { answer: (response: ServerResponse) => void response.end('ok'), asked: 0 }
  const instances = [0, 1].map(() =>
    createServer((_, response) => {
      state.asked += 1
      state.answer(response)
    }),
  )
  const folder = temporaryFolder()
  let proxy: Server
  let origin = ''
  beforeAll(async () => {
    for (const instance of instances) await once(instance.listen(0, '127.0.0.1'), 'listening')
    const ports = instances.map((instance) => (instance.address() as AddressInfo).port)
    proxy = await createProxy(folder, await freePort(), ports)
    origin = `https://localhost:${proxy.port}`
    await proxy.start()
  })
  afterAll(async () => {
    await proxy.end('SIGKILL')
    for (const instance of instances) instance.close()
  })

  test('an honest 503 or 502 of Intag is passed on, asked for once, and takes no instance out', async () => {
    for (const [status, body] of [
      [503, '{"error":"The database cannot be reached"}'],
      [502, '{"reason":"mail"}'],
    ] as const) {
      state.answer = (response) => void response.writeHead(status, { 'retry-after': '5' }).end(body)
      state.asked = 0
      for (let count = 0; count < 12; count += 1) {
        const answer = await ask(origin, '/declarations')
        expect([answer.status, answer.body]).toEqual([status, body])
      }
      expect(state.asked).toBe(12)
    }
    state.answer = (response) => void response.end('well again')
    expect((await ask(origin, '/')).body).toBe('well again')
  })

  test('a read goes on to the other instance, a change that may have been read does not', async () => {
    const dead = new Set<unknown>()
    state.answer = (response) => {
      if (dead.size > 0) return void response.end('the other')
      dead.add(response)
      response.socket?.destroy()
    }
    expect((await ask(origin, '/')).body).toBe('the other')
    dead.clear()
    expect((await ask(origin, '/', { method: 'POST', json: {} })).outcome).toBe('gateway')
  })

  test('where none can be reached it says so in both languages, and comes again by itself', async () => {
    for (const instance of instances) {
      instance.closeAllConnections()
      await new Promise((closed) => instance.close(closed))
    }
    for (let count = 0; count < 4; count += 1) {
      const answer = await ask(origin, '/declarations', count % 2 ? { method: 'PATCH', json: {} } : {})
      expect(answer.status).toBe(502)
      expect(answer.body).toContain('Intag svarar inte just nu')
      expect(answer.body).toContain('Intag is not answering right now')
    }
  })
})
