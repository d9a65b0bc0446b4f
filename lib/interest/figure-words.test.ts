import { expect, test } from 'vitest'
import { signsIn } from './figure-words'

test('the signs of a table are those that its rows have, none where there are too few', () => {
  const row = (is: 'up' | 'down' | 'level', by: number | null = 0.2) => ({ change: { is, by } })
  expect(signsIn([row('level'), row('down'), row('up'), row('up')])).toEqual({ beyond: '▲ ▼', isLevel: true })
  expect(signsIn([row('down'), { change: null }])).toEqual({ beyond: '▼', isLevel: false })
  expect(signsIn([row('level', null)])).toEqual({ beyond: '', isLevel: false })
})
