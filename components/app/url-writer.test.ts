import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUrlWriter } from './url-writer'

describe('writing the address', () => {
  let written: string[]
  let writer: ReturnType<typeof createUrlWriter>
  beforeEach(() => {
    vi.useFakeTimers()
    written = []
    writer = createUrlWriter((search, history) => written.push(`${history} ${search}`))
  })
  afterEach(() => void vi.useRealTimers())

  it('is done at once, but of many changes in a row only the first and the last', () => {
    for (const lead of [1, 2, 3, 4]) writer.write(`lead=${lead}`, 'replace')
    expect(written).toEqual(['replace lead=1'])
    expect(writer.isWaiting()).toBe(true)
    vi.runAllTimers()
    expect(written).toEqual(['replace lead=1', 'replace lead=4'])
    expect(writer.isWaiting()).toBe(false)
  })

  it('never keeps a step of the history waiting, and what waited is in it', () => {
    writer.write('lead=1', 'replace')
    writer.write('lead=2', 'replace')
    writer.write('lead=2&year=2027', 'push')
    vi.runAllTimers()
    expect(written).toEqual(['replace lead=1', 'push lead=2&year=2027'])
  })

  it('is not done any more for what was forgotten, and then goes on', () => {
    writer.write('lead=1', 'replace')
    writer.write('lead=2', 'replace')
    writer.discard()
    vi.runAllTimers()
    writer.write('lead=3', 'replace')
    expect(written).toEqual(['replace lead=1', 'replace lead=3'])
  })
})
