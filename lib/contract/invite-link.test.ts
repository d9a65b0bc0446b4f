import { describe, expect, test } from 'vitest'
import { toInvitePath, readInviteLink } from './invite-link'

const TOKEN = 'aB3-_'.padEnd(43, 'x9-')
const encode = encodeURIComponent

describe('an invitation’s link', () => {
  test.each([
    `/invite#${TOKEN}`,
    `/invite%2523${TOKEN}`,
    `/invite/%23${TOKEN}/`,
    `/invite*${TOKEN}__;Iw!!AbC`,
    `/invite${TOKEN}`,
    `/invite?utm_source=mail&mc_eid=${'y'.repeat(50)}#${TOKEN}`,
    `/invite%23${TOKEN}&data=05%7C02%7C&reserved=0`,
    ...['.', ')', '»', '%3E', '...'].map((end) => `/invite#${TOKEN}${end}`),
    ...['%20', '\r\n ', encode('\u200b\u00ad')].map((gap) => `/invite#${TOKEN.slice(0, 20)}${gap}${TOKEN.slice(20)}`),
  ])('%s is read, however mail programs change it', (address) => {
    expect(readInviteLink(address)).toEqual({ token: TOKEN, isReset: false })
  })

  test.each([
    `/invite?reset#${TOKEN}`,
    `/invite${encode(encode(`?reset#${TOKEN}`))}`,
    `/invite?reset&utm_source=mail#${TOKEN}`,
    `/invite?reset*${TOKEN}`,
  ])('%s is one of a reset', (address) => {
    const link = { token: TOKEN, isReset: true }
    expect(readInviteLink(address)).toEqual(link)
    expect(readInviteLink(toInvitePath(link)), 'written again it is the same').toEqual(link)
  })

  test.each(['/invite', '/invite%23', '/invite%', `/invite#${TOKEN.slice(1)}`, `/invite?utm_source=${TOKEN}`])(
    'a part of %s is missing',
    (address) => expect(readInviteLink(address)).toEqual({ token: '', isReset: false }),
  )

  test.each(['/', '/signin', '/invitees', '/api/invitations', `/questions?q=/invite#${TOKEN}`])(
    '%s is none',
    (address) => expect(readInviteLink(address)).toBeNull(),
  )
})
