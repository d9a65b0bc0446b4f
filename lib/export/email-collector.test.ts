import { expect, test } from 'vitest'
import { createEmailCollector } from './email-collector'

test('addresses are collected once each, and what nothing could be sent to is counted', () => {
  const collector = createEmailCollector()
  const same = ['Asa@skola.test', ' asa@skola.test ', 'a\u200bsa@skola.test']
  const notOne = [null, '', 'a@b.test, evil@x.test', 'x@y@z', 'Åsa <asa@b.test>', 'a@b\n.test']
  const routed = ['elsa%other.test@relay.test', 'other.test!elsa@relay.test']
  for (const email of [...same, 'erik@skola.test', ...notOne, ...routed]) collector.add(email)
  expect(collector.finish()).toEqual({ emails: ['Asa@skola.test', 'erik@skola.test'], without: 8 })
})
