import { describe, expect, test, vi } from 'vitest'
import { requirePermission, makeViewer, type Viewer } from '@/server/access/viewer'
import { createHub } from '@/server/base/hub'
import type { HubFetchedEvent, HubEvent } from '@/server/leads/hub-events'
import { testServices } from '@/server/testing/services'
import { createEventStream, streamEvents } from './stream-events'

describe('an open stream', () => {
  const session = { id: 's1', userId: 'sara', issuedAtMs: 0 }
  const person = { id: 'sara', name: 'Sara', email: 's@x.test', role: 'staff' } as const
  const sara = makeViewer({ ...person, schools: ['norra'] })
  const about = (id: string): HubEvent => {
    return { name: 'lead', school: 'norra', lead: { kind: 'asked-question', id, what: 'notes' } }
  }

  /** `findViewer` answers who the stream's user is now. */
  function openStream(
    findViewer: () => Promise<Viewer | null> = async () => sara,
    initialEvents: HubFetchedEvent[] = [],
  ) {
    const hub = createHub<HubEvent>()
    const services = testServices({
      feed: { markWatched: () => {} },
      viewers: { find: findViewer },
      hub,
      hubPublisher: { createInitialEvents: () => initialEvents },
    })
    const request = new Request('http://x.test/')
    const answer = streamEvents(services, requirePermission(sara, 'interest:read'), {}, { session, request })
    let received = ''
    const read = async () => {
      for await (const chunk of answer.body ?? []) received += new TextDecoder().decode(chunk)
    }
    return { publish: hub.publish, received: () => received, ended: read(), hub }
  }

  test('begins with the present state, and hands over at once when what its user may see has changed', async () => {
    const known = { list: 'high-schools' as const, isNew: true, changedLeads: null, status: null }
    const stream = openStream(undefined, [{ name: 'fetched', version: 7, ...known }])
    stream.publish({ name: 'person', userId: 'nils' })
    stream.publish(about('still'))
    await expect.poll(stream.received).toContain('still')
    stream.publish({ name: 'person', userId: 'sara' })
    stream.publish(about('after'))
    await stream.ended
    expect(stream.received()).toMatch(/"version":7[^]*"still"[^]*event: handover\n/)
    expect(stream.received()).not.toContain('after')
  })

  test('is handed over when the instance ends: each gets a moment of its own to come back', async () => {
    const streams = Array.from({ length: 8 }, () => openStream())
    for (const { hub } of streams) hub.close()
    await Promise.all(streams.map(({ ended }) => ended))
    const delays = streams.map(({ received }) => {
      const [, backInMs] = /event: handover\ndata: \{"backInMs":(\d+)\}\n\n$/.exec(received()) ?? []
      return Number(backInMs)
    })
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(500)
    expect(Math.max(...delays)).toBeLessThan(2_600)
    expect(new Set(delays).size).toBeGreaterThan(1)
  })

  // Without a handover the tab checks its session before it shows any lead.
  test.each([
    ['is disabled', async () => null, /^retry: 3000\n\n$/],
    ['cannot be confirmed', async () => Promise.reject(new Error('away')), /^retry: 3000\n\n$/],
    ['may see other schools', async () => makeViewer({ ...person, schools: ['sodra'] }), /event: handover\n/],
  ])('ends when its user %s, with the next heartbeat if the message was lost', async (_, findViewer, received) => {
    const stream = openStream(findViewer)
    stream.publish({ name: 'person', userId: 'sara' })
    stream.publish(about('after'))
    await stream.ended
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const unannounced = openStream(findViewer)
    await vi.advanceTimersByTimeAsync(22_000)
    vi.useRealTimers()
    await unannounced.ended
    for (const each of [stream, unannounced]) {
      expect(each.received()).toMatch(received)
      expect(each.received()).not.toMatch(/event: beat|after/)
    }
  })
})

describe('server-sent events', () => {
  function open(signal = new AbortController().signal) {
    const cleanUp = vi.fn<() => void>()
    let sender: Parameters<Parameters<typeof createEventStream>[1]>[0] = { write: () => {}, close: () => {} }
    const response = createEventStream(signal, (opened) => {
      sender = opened
      return cleanUp
    })
    return { response, cleanUp, sender }
  }

  test('are written as the standard has them, and nothing on the way may keep or delay them', async () => {
    const { response, sender } = open()
    const events = ['event: changed\ndata: {"list":"asked-questions","version":7}\n\n', 'event: beat\ndata: {}\n\n']
    events.forEach(sender.write)
    sender.close()
    expect(await response.text()).toBe(['retry: 3000\n\n', ...events].join(''))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
  })

  test('clean up once, whether the server, the browser or the connection ends them, or the reader takes nothing', async () => {
    const connection = new AbortController()
    const [byServer, byBrowser, byConnection, unread] = [open(), open(), open(connection.signal), open()]
    byServer.sender.close()
    byServer.sender.close()
    await byBrowser.response.body?.cancel()
    connection.abort()
    for (let count = 0; count < 1_000; count += 1) unread.sender.write(`data: ${count}\n\n`)
    for (const { cleanUp } of [byServer, byBrowser, byConnection, unread]) expect(cleanUp).toHaveBeenCalledOnce()
  })
})
