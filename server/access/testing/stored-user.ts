import type { StoredUser } from '../users'

export function storedUser(id: string, other: Partial<StoredUser> = {}): StoredUser {
  return {
    id,
    email: `${id}@x.test`,
    name: id,
    role: 'staff',
    schools: 'all',
    passwordHash: null,
    disabled: false,
    demo: false,
    managed: false,
    breakGlass: false,
    activatedAt: new Date(0),
    createdAt: new Date(0),
    linkHash: null,
    linkExpiresAt: null,
    issuer: null,
    subject: null,
    oid: null,
    recoveryCodes: [],
    ...other,
  }
}
