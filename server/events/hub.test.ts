import { expect, test } from 'vitest'
import { createHub } from './hub'

function listener() {
  const heard: string[] = []
  return { heard, onEvent: (event: string) => heard.push(event), onClose: () => heard.push('closed') }
}

test('every subscriber hears every event until it leaves', () => {
  const hub = createHub<string>()
  const [one, other] = [listener(), listener()]
  const leave = hub.subscribe(one)
  hub.subscribe(other)
  hub.publish('first')
  leave()
  hub.publish('second')
  expect([one.heard, other.heard, hub.size()]).toEqual([['first'], ['first', 'second'], 1])
})

test('a closing hub tells everyone once, and late comers at once', () => {
  const hub = createHub<string>()
  const [early, late] = [listener(), listener()]
  hub.subscribe(early)
  hub.close()
  hub.publish('too late')
  hub.subscribe(late)
  expect([early.heard, late.heard, hub.size()]).toEqual([['closed'], ['closed'], 0])
})
