import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '@/scripts/testing/free-port'
import { temporaryFolder } from '@/server/testing/folder'
import { createProxy, hasPrograms, type Server } from './servers'

describe.runIf(hasPrograms('nginx', 'openssl'))('nginx before two instances', () => {
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
    await proxy.end('SIGTERM')
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
        const answer = await fetch(`${origin}/declarations`)
        expect([answer.status, await answer.text()]).toEqual([status, body])
      }
      expect(state.asked).toBe(12)
    }
    state.answer = (response) => void response.end('well again')
    expect(await (await fetch(origin)).text()).toBe('well again')
  })

  test('its log has the way of a request, not what may name a person or let one in', async () => {
    const logged = () => readFileSync(join(folder, 'nginx', 'access.log'), 'utf8')
    await fetch(`${origin}/invite%23secret?q=secret`)
    await expect.poll(logged).toContain('"GET /invite" 200')
    expect(logged()).not.toContain('secret')
  })

  test('a read goes on to the other instance, a change that may have been read does not', async () => {
    const dead = new Set<unknown>()
    state.answer = (response) => {
      if (dead.size > 0) return void response.end('the other')
      dead.add(response)
      response.socket?.destroy()
    }
    expect(await (await fetch(origin)).text()).toBe('the other')
    dead.clear()
    expect((await fetch(origin, { method: 'POST', body: '{}' })).status).toBe(502)
  })

  test('where none can be reached it says so in both languages, and comes again by itself', async () => {
    for (const instance of instances) {
      instance.closeAllConnections()
      await new Promise((closed) => instance.close(closed))
    }
    for (let count = 0; count < 4; count += 1) {
      const answer = await fetch(origin, count % 2 ? { method: 'PATCH', body: '{}' } : {})
      expect(answer.status).toBe(502)
      expect(await answer.text()).toMatch(/Intag svarar inte just nu.*Intag is not answering right now/)
    }
  })
})
