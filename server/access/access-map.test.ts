import { describe, expect, test } from 'vitest'
import { AccessMapError, parseRoleMap, parseSchoolMap } from './access-map'

describe('a map of roles', () => {
  test('has entries of a claim, a value and what it gives', () => {
    expect(parseRoleMap('groups:Intag-Admin=admin; roles : rektor = manager ;')).toEqual([
      { claim: 'groups', value: 'Intag-Admin', gives: 'admin' },
      { claim: 'roles', value: 'rektor', gives: 'manager' },
    ])
  })

  test('quotes what holds one of its marks', () => {
    const entry = '"http://schemas.xmlsoap.org/claims/Group":"CN=Intag, ""Norra"";OU=x"=staff'
    expect(parseRoleMap(entry)).toEqual([
      { claim: 'http://schemas.xmlsoap.org/claims/Group', value: 'CN=Intag, "Norra";OU=x', gives: 'staff' },
    ])
  })

  test.each([
    ['', 'is empty'],
    ['groups:a=boss', 'entry 1 must be'],
    ['groups:a=admin,staff', 'entry 1 must be'],
    ['groups:a=admin; groups=staff', 'entry 2 must be'],
    ['groups:a:b=staff', 'entry 1 must be'],
    ['groups:a=staff roles:b=admin', 'entry 1 must be'],
    ['groups:"a=staff', 'entry 1 must be'],
    ['groups:=staff', 'entry 1 must be'],
    ['groups:a=', 'entry 1 must be'],
  ])('%s is refused with the place of the entry, not with what it says', (text, message) => {
    expect(() => parseRoleMap(text)).toThrow(AccessMapError)
    expect(() => parseRoleMap(text)).toThrow(message)
    expect(() => parseRoleMap(text)).not.toThrow(/groups|boss/)
  })
})

test('a map of schools gives all, or those that are named', () => {
  expect(parseSchoolMap('groups:/Skolor/Norra=id-1, id-2; groups:alla=all').map(({ gives }) => gives)).toEqual([
    ['id-1', 'id-2'],
    'all',
  ])
  expect(() => parseSchoolMap('groups:a=all,id-1')).toThrow('not both')
  expect(() => parseSchoolMap('groups:a=id-1,')).toThrow(AccessMapError)
})
