import { expect, it } from 'vitest'
import { isDecisionKey } from './decision-key'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, timeStamp: 0 }

it('takes a key that decides, also with Shift, and none of the browser', () => {
  const presses = [{ key: 'p' }, { key: 'E', shiftKey: true }, { key: 'p', ctrlKey: true }, { key: 'p', metaKey: true }]
  expect(presses.map((press) => isDecisionKey({ ...plain, ...press }))).toEqual([true, true, false, false])
})
