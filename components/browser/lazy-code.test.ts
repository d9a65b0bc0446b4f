import { expect, test } from 'vitest'
import { lazyCode } from './lazy-code'

/** A fetch with given results, one try after the other. */
function fetches(...outcomes: ('works' | 'fails')[]) {
  let tries = 0
  const load = async () => {
    const outcome = outcomes[tries++]
    if (outcome !== 'works') throw new Error('ChunkLoadError')
    return `code of try ${tries}`
  }
  return { load, tries: () => tries }
}

test('is fetched once, however often it is wanted', async () => {
  const { load, tries } = fetches('works')
  const code = lazyCode(load, new EventTarget())
  expect(code.read()).toBeUndefined()
  expect(await Promise.all([code.want(), code.want()])).toEqual(['code of try 1', 'code of try 1'])
  expect(await code.want()).toBe('code of try 1')
  expect(code.read()).toBe('code of try 1')
  expect(tries()).toBe(1)
})

test('a failure is no exception, and the next wish tries again', async () => {
  const { load } = fetches('fails', 'works')
  const code = lazyCode(load, new EventTarget())
  expect(await code.want()).toBeUndefined()
  expect(code.hasFailed()).toBe(true)
  const second = code.want()
  expect(code.hasFailed()).toBe(false)
  expect(await second).toBe('code of try 2')
})

test('a listener hears of failure, retry and success; the network coming back is a wish', async () => {
  const network = new EventTarget()
  const { load, tries } = fetches('fails', 'works')
  const code = lazyCode(load, network)
  const heard: string[] = []
  const leave = code.subscribe(() => heard.push(code.hasFailed() ? 'failed' : (code.read() ?? 'on its way')))
  await code.want()
  network.dispatchEvent(new Event('online'))
  await code.want()
  expect(heard).toEqual(['failed', 'on its way', 'code of try 2'])
  leave()
  network.dispatchEvent(new Event('online'))
  expect(tries()).toBe(2)
})

test('nobody waiting, the network coming back fetches nothing', async () => {
  const network = new EventTarget()
  const { load, tries } = fetches('fails', 'works')
  const code = lazyCode(load, network)
  await code.want()
  network.dispatchEvent(new Event('online'))
  expect(tries()).toBe(1)
})

test("a failure before anybody waits is nobody's", async () => {
  const { load } = fetches('fails', 'works')
  const code = lazyCode(load, new EventTarget())
  await code.preload()
  expect(code.hasFailed()).toBe(false)
  expect(await code.lastTry()).toBe('code of try 2')
})

test('what failed stays failed for its listeners until it is wanted again', async () => {
  const { load, tries } = fetches('fails', 'works')
  const code = lazyCode(load, new EventTarget())
  await code.lastTry()
  expect(await code.lastTry()).toBeUndefined()
  expect(tries()).toBe(1)
  expect(await code.want()).toBe('code of try 2')
})

test('once nobody looks at a failure, the next one to come is not met by it', async () => {
  const { load } = fetches('fails', 'works')
  const code = lazyCode(load, new EventTarget())
  const leave = code.subscribe(() => {})
  await code.want()
  expect(code.hasFailed()).toBe(true)
  leave()
  expect(code.hasFailed()).toBe(false)
  expect(await code.want()).toBe('code of try 2')
})
