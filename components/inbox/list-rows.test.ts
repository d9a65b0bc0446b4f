import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { LeadPage } from '@/lib/api/leads'
import { head } from '@/lib/inbox/testing/pages'
import { type PageQuery, watchedPages } from './list-rows'

/** A list whose pages are answered by hand. */
function listOfPages() {
  const client = new QueryClient()
  const asked: { offset: number; signal: AbortSignal; answer: (page: LeadPage) => void }[] = []
  const pageAt = (offset: number): PageQuery => ({
    offset,
    staleTime: Infinity,
    gcTime: Infinity,
    queryKey: ['page', offset],
    queryFn: ({ signal }) => new Promise((answer) => void asked.push({ offset, signal, answer })),
  })
  return { asked, watch: (...offsets: number[]) => watchedPages(client, offsets.map(pageAt)) }
}

const notified = () => new Promise((done) => setTimeout(done))

test('pages are requested while there is a listener, and read as they come', async () => {
  const { asked, watch } = listOfPages()
  const pages = watch(50, 100)
  expect(pages.read()).toEqual([])
  expect(asked).toEqual([])

  let times = 0
  const stop = pages.subscribe(() => (times += 1))
  expect(asked.map(({ offset }) => offset)).toEqual([50, 100])
  const page = head(1, ['lead-1'])
  asked[1]?.answer(page)
  await notified()
  expect(times).toBeGreaterThan(0)
  expect(pages.read()).toEqual([{ offset: 100, page }])
  expect(pages.read()).toBe(pages.read())
  stop()
})

test('scrolling on gives up the pages that are left, and goes on with those that stay', async () => {
  const { asked, watch } = listOfPages()
  const stopFirst = watch(50, 100).subscribe(() => {})
  await notified()
  for (const { signal } of asked) expect(signal.aborted).toBe(false)
  stopFirst()
  const stop = watch(100, 150).subscribe(() => {})
  await notified()
  expect(asked.map(({ offset, signal }) => [offset, signal.aborted])).toEqual([
    [50, true],
    [100, false],
    [150, false],
  ])
  stop()
  await notified()
  expect(asked.every(({ signal }) => signal.aborted)).toBe(true)
})
