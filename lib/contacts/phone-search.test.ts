import { expect, test } from 'vitest'
import { phonePieces, phoneQueryDigits, phoneSearchText } from './phone-search'
import { SPELLINGS } from '@/lib/contacts/testing/spellings'

test('every spelling, whole or in part, finds every spelling', () => {
  for (const stored of SPELLINGS)
    for (const query of [...SPELLINGS, '070-17', '+46 70 1', '0046 70', '74 06']) {
      expect(phoneSearchText(stored)).toContain(phoneQueryDigits(query))
    }
})

test('text that is more than a number is not searched as a phone', () => {
  expect(phoneQueryDigits('åsa 070')).toBeNull()
  expect(phoneQueryDigits('2')).toBeNull()
})

test('the beginning of 0046 is not yet a number: it would find every phone', () => {
  expect(['0', '00', '004', '0046'].map(phoneQueryDigits)).toEqual([null, null, null, '46'])
})

test('pieces in a row are one number', () => {
  expect(phonePieces(['asa', '070', '174', '22', 'oberg', '+46'])).toEqual([
    ['asa'],
    ['070', '174', '22'],
    ['oberg'],
    ['+46'],
  ])
  expect(phonePieces([])).toEqual([])
})
