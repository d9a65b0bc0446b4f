import { expect, test } from 'vitest'
import { unknownPlaceholders } from './unknown-placeholders'

test('only what looks like a placeholder and is none is told, once', () => {
  expect(unknownPlaceholders('Hej {firstName}, {förnamn} {Firstname} {förnamn} {school} {} { } a{b')).toEqual([
    '{förnamn}',
    '{Firstname}',
    '{ }',
  ])
})
