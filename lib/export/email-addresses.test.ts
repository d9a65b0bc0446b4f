import { expect, test } from 'vitest'
import { createEmailCollector } from './email-addresses'

test('addresses are collected once each, and what nothing could be sent to is counted', () => {
  const collector = createEmailCollector()
  const given = [
    'Asa@skola.test',
    ' asa@skola.test ',
    'erik@skola.test',
    null,
    '',
    'a@b.test, evil@x.test',
    'x@y@z',
    'Åsa <asa@b.test>',
    'a@b\n.test',
    'elsa%other.test@relay.test',
    'other.test!elsa@relay.test',
  ]
  for (const email of given) collector.add(email)
  expect(collector.finish()).toEqual({ emails: ['Asa@skola.test', 'erik@skola.test'], without: 8 })
})
