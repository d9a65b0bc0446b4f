import { expect, it, onTestFinished, vi } from 'vitest'
import { applyUrlChange, createUrlWriter } from './url-writer'

it('a change writes each parameter once, removes what is null, and leaves everything else as it is', () => {
  const change = { cohort: 2026, from: null, status: ['new', 'handled'] }
  const search = applyUrlChange('school=a&school=b&from=2026-10-01&cohort=2025', change)
  expect(search).toBe('school=a&school=b&cohort=2026&status=new&status=handled')
})

function startWriting(...searches: string[]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const written: string[] = []
  const writer = createUrlWriter(({ search }, history) => written.push(`${history} ${search}`))
  const replace = (search: string) => writer.write({ search, pathname: '/questions' }, 'replace')
  for (const search of searches) replace(search)
  return { written, writer, replace }
}

it('the URL is written at once, but of many changes in a row only the first and the last', () => {
  const { written, writer } = startWriting('lead=1', 'lead=2', 'lead=3')
  expect([written, writer.isWaiting()]).toEqual([['replace lead=1'], true])
  vi.runAllTimers()
  expect([written, writer.isWaiting()]).toEqual([['replace lead=1', 'replace lead=3'], false])
})

it('a step of the history never waits, and what waited is in it', () => {
  const { written, writer } = startWriting('lead=1', 'lead=2')
  writer.write({ search: 'lead=2&year=2027', pathname: '/questions' }, 'push')
  vi.runAllTimers()
  expect(written).toEqual(['replace lead=1', 'push lead=2&year=2027'])
})

it('what was discarded is not written, and the next change is', () => {
  const { written, writer, replace } = startWriting('lead=1', 'lead=2')
  writer.discard()
  vi.runAllTimers()
  replace('lead=3')
  expect(written).toEqual(['replace lead=1', 'replace lead=3'])
})
