import { describe, expect, test } from 'vitest'
import { parseRoleMap, parseSchoolMap } from '@/server/base/access-map'
import { findEmail, readAccess, hasGroupOverage, readName, readClaimValues } from './oidc-claims'

const email = 'eva@x.test'
test.each([
  ['verified in the id token', { email, email_verified: true }, {}, email, email],
  ['verified, as a text', { email, email_verified: 'true' }, {}, email, email],
  ['null in the id token', { email: null, email_verified: '' }, { email, email_verified: true }, email, email],
  ['verified at userinfo alone', { email }, { email: 'EVA@x.test', email_verified: true }, email, email],
  ['without email_verified', { email }, {}, null, email],
  ['with an empty email_verified', { email, email_verified: '' }, {}, null, email],
  ['unverified', { email, email_verified: false }, {}, null, null],
  ['unverified, as a text', { email, email_verified: 'false' }, {}, null, null],
  ['disputed', { email, email_verified: true }, { email, email_verified: false }, null, null],
  ['verified as another', { email }, { email: 'nils@x.test', email_verified: true }, null, email],
  ['only as a name', { preferred_username: email }, {}, null, email],
  ['only as upn', { preferred_username: 'eva', upn: email }, {}, null, email],
  ['no e-mail', { email: 'eva', email_verified: true }, {}, null, null],
  ['several', { email: [email], email_verified: true }, {}, null, null],
])('the e-mail, %s', (_, idToken, userinfo, strictly, trusting) => {
  expect(findEmail({ idToken, userinfo }, { trustEmail: false })).toEqual(strictly)
  expect(findEmail({ idToken, userinfo }, { trustEmail: true })).toEqual(trusting)
})

test.each([
  [{ name: ' Eva Ek ' }, 'Eva Ek'],
  [{ given_name: 'Eva', family_name: 'Ek' }, 'Eva Ek'],
  [{ name: '' }, 'eva.ek'],
  [{ name: 'x'.repeat(200) }, 'x'.repeat(100)],
])('%j is called %s', (idToken, name) => {
  expect(readName({ idToken, userinfo: {} }, 'eva.ek@x.test')).toBe(name)
})

test.each<[unknown, string, string[]]>([
  [{ groups: ['a', 'b'] }, 'groups', ['a', 'b']],
  [{ groups: 'a' }, 'groups', ['a']],
  [{ level: 3, ok: true, no: null, deep: {} }, 'level', ['3']],
  [{ resource_access: { 'intag.app': { roles: ['r'] } } }, 'resource_access.intag.app.roles', ['r']],
  [{ 'a.b': ['whole'], a: { b: ['part'] } }, 'a.b', ['whole']],
  [{ a: 'b' }, 'a.length', []],
  [{ a: [['x']] }, 'a', []],
  [{}, 'constructor', []],
  [{}, '__proto__.x', []],
])('of %j, %s has %j', (claims, path, values) => {
  expect(readClaimValues(claims as Record<string, unknown>, path)).toEqual(values)
})

describe('what maps give', () => {
  const roleMap = parseRoleMap('groups:m=manager; groups:s=staff; groups:a=admin')
  const schoolMap = parseSchoolMap('groups:s=norra,sodra; groups:m=norra; groups:a=all')

  test.each([
    [['m'], 'manager', ['norra']],
    [['m', 's'], 'staff', ['norra', 'sodra']],
    [['a', 'm', 's'], 'admin', 'all'],
    [['A', 'S', ' s'], null, null],
    [[], null, null],
  ])('to %j is %s with %j', (groups, role, schools) => {
    const given = readAccess({ groups }, { roleMap, schoolMap })
    expect([given.role, Array.isArray(given.schools) ? given.schools.sort() : given.schools]).toEqual([role, schools])
  })

  test.each([
    [{ _claim_names: { groups: 'src1' } }, true],
    [{ _claim_names: { groups: 'src1' }, groups: ['a'] }, false],
    [{ _claim_names: { other: 'src1' } }, false],
    [{ groups: [] }, false],
  ])('are left out of %j: %s', (claims, isOver) => {
    expect(hasGroupOverage(claims, { roleMap, schoolMap: null })).toBe(isOver)
    expect(hasGroupOverage(claims, { roleMap: parseRoleMap('roles:x=staff'), schoolMap: null })).toBe(false)
  })
})

describe('a map', () => {
  test('has entries of a claim, a value and what it gives; what holds one of its marks is quoted', () => {
    const quoted = '"http://schemas.xmlsoap.org/claims/Group":"CN=Intag, ""Norra"";OU=x"=staff'
    expect(parseRoleMap(`groups:Intag-Admin=admin; roles : rektor = manager ; ${quoted}`)).toEqual([
      { claim: 'groups', value: 'Intag-Admin', grants: 'admin' },
      { claim: 'roles', value: 'rektor', grants: 'manager' },
      { claim: 'http://schemas.xmlsoap.org/claims/Group', value: 'CN=Intag, "Norra";OU=x', grants: 'staff' },
    ])
    const schools = parseSchoolMap('groups:/Skolor/Norra=id-1, id-2; groups:alla=all')
    expect(schools.map(({ grants }) => grants)).toEqual([['id-1', 'id-2'], 'all'])
    expect(() => parseSchoolMap('groups:a=all,id-1')).toThrow('not both')
    expect(() => parseSchoolMap('groups:a=id-1,')).toThrow('entry 1 must be')
  })

  test.each([
    ['', 'is empty'],
    ['groups:a=staff; groups:b"=admin', 'has a quotation mark without its other half'],
    ['groups:a=admin; groups=staff', 'entry 2 must be'],
    ['groups:a=boss', 'entry 1 must be'],
    ['groups:a=admin,staff', 'entry 1 must be'],
    ['groups:a:b=staff', 'entry 1 must be'],
    ['groups:a=staff roles:b=admin', 'entry 1 must be'],
  ])('%s is refused with the place of the entry, not with its content', (text, message) => {
    expect(() => parseRoleMap(text)).toThrow(message)
    expect(() => parseRoleMap(text)).not.toThrow(/groups|boss/)
  })
})
