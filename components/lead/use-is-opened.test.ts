import { describe, expect, it } from 'vitest'
import { isDecisionKey } from './use-is-opened'

const keys = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, timeStamp: 0 }

describe('which keys open the lead beside the list', () => {
  it('is a key that decides, also with Shift, and none of the browser', () => {
    expect(isDecisionKey({ ...keys, key: 'p' })).toBe(true)
    expect(isDecisionKey({ ...keys, key: 'E', shiftKey: true })).toBe(true)
    expect(isDecisionKey({ ...keys, key: 'p', ctrlKey: true })).toBe(false)
    expect(isDecisionKey({ ...keys, key: 'p', metaKey: true })).toBe(false)
    expect(isDecisionKey({ ...keys, key: 'j' })).toBe(false)
  })
})
