import { describe, expect, it } from 'vitest'
import type { LeadRef } from '@/lib/contract/lead'
import { createOutbox, TAKE_BACK_MS } from './outbox'

const lead: LeadRef = { kind: 'asked-question', id: '1' }
const other: LeadRef = { kind: 'declaration-of-interest', id: '1' }

function world() {
  let at = 0
  let timers: { at: number; run: () => void }[] = []
  const log: string[] = []
  const outbox = createOutbox({
    now: () => at,
    schedule: (run, ms) => {
      const timer = { at: at + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
  })
  const pass = async (ms: number) => {
    at += ms
    const due = timers.filter((timer) => timer.at <= at)
    timers = timers.filter((timer) => timer.at > at)
    for (const { run } of due) run()
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  const parcel = (about: LeadRef, answer: () => Promise<void> = async () => {}) => ({
    lead: about,
    key: 'k1',
    send: () => {
      log.push(`sent ${about.kind}`)
      return answer()
    },
    onSent: () => void log.push('was sent'),
    onFailed: (error: unknown) => void log.push(`failed ${String(error)}`),
    onTakenBack: () => void log.push('taken back'),
  })
  return { outbox, pass, parcel, log }
}

describe('a reply on its way out', () => {
  it('leaves when its time is over, and not a moment before', async () => {
    const { outbox, pass, parcel, log } = world()
    expect(outbox.begin(parcel(lead))).toBe(true)
    await pass(TAKE_BACK_MS - 1)
    expect(log).toEqual([])
    expect(outbox.of(lead)).toEqual({ is: 'waiting', until: TAKE_BACK_MS })
    expect(outbox.isBusy()).toBe(true)
    await pass(1)
    expect(log).toEqual(['sent asked-question', 'was sent'])
    expect(outbox.of(lead)).toBeUndefined()
    expect(outbox.isBusy()).toBe(false)
  })

  it('never leaves once it is taken back, and cannot be taken back once it has left', async () => {
    const { outbox, pass, parcel, log } = world()
    outbox.begin(parcel(lead))
    await pass(TAKE_BACK_MS - 1)
    expect(outbox.takeBack(lead)).toBe(true)
    await pass(TAKE_BACK_MS * 2)
    expect(log).toEqual(['taken back'])
    outbox.begin(parcel(lead, () => new Promise(() => {})))
    await pass(TAKE_BACK_MS)
    expect(outbox.of(lead)).toEqual({ is: 'sending' })
    expect(outbox.takeBack(lead)).toBe(false)
  })

  it('is one per lead, however often the key is pressed; leads do not wait for each other', async () => {
    const { outbox, pass, parcel, log } = world()
    const begun = [lead, lead, other].map((about) => outbox.begin(parcel(about)))
    expect(begun).toEqual([true, false, true])
    outbox.takeBack(lead)
    await pass(TAKE_BACK_MS)
    expect(log).toEqual(['taken back', 'sent declaration-of-interest', 'was sent'])
  })

  it('that is not taken says why, by the same name, and may be tried again', async () => {
    const { outbox, pass, parcel, log } = world()
    let calls = 0
    outbox.subscribe(() => (calls += 1))
    outbox.begin(parcel(lead, () => Promise.reject(new Error('refused'))))
    await pass(TAKE_BACK_MS)
    expect(outbox.of(lead)).toMatchObject({ is: 'failed', key: 'k1' })
    expect(outbox.isBusy()).toBe(false)
    expect(log).toEqual(['sent asked-question', 'failed Error: refused'])
    expect(calls).toBe(3)
    expect(outbox.begin(parcel(lead))).toBe(true)
  })

  it('leaves at once when it can wait no longer, once, and answers whether all has left', async () => {
    const { outbox, pass, parcel, log } = world()
    expect(await outbox.flush(1_000), 'nothing waits').toBe(true)
    outbox.begin(parcel(lead))
    const isSent = Promise.withResolvers<void>()
    outbox.begin(parcel(other, () => isSent.promise))
    const first = outbox.flush(1_000)
    expect(log).toEqual(['sent asked-question', 'sent declaration-of-interest'])
    expect(outbox.takeBack(lead)).toBe(false)
    const second = outbox.flush(1_000)
    isSent.resolve()
    expect(await Promise.all([first, second])).toEqual([true, true])
    await pass(TAKE_BACK_MS)
    expect(log.filter((what) => what.startsWith('sent'))).toHaveLength(2)
  })

  it('that is refused then, or takes too long, has not left; what had failed before is no reason to wait', async () => {
    const { outbox, pass, parcel, log } = world()
    outbox.begin(parcel(lead, () => Promise.reject(new Error('refused'))))
    expect(await outbox.flush(1_000)).toBe(false)
    expect(outbox.of(lead)).toMatchObject({ is: 'failed' })
    expect(log).toContain('failed Error: refused')
    expect(await outbox.flush(1_000), 'the second time').toBe(true)
    outbox.begin(parcel(other, () => new Promise(() => {})))
    const flushed = outbox.flush(1_000)
    await pass(1_000)
    expect(await flushed).toBe(false)
  })
})
