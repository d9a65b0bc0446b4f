import 'server-only'
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import { hashEmail, hashToNumber, NO_KEY, hashPhone } from '@/lib/contacts/contact-key'
import { type DataKeys, deriveKey, listDataKeys } from '@/server/base/seal'

const TYPES = ['email', 'phone', 'asked-question', 'declaration-of-interest'] as const
const BYTES = 16

/** One block of AES (FIPS 197): guesses cannot be tested without our key, and no table of ids is needed. */
export function createContactIds(keys: DataKeys | Uint8Array) {
  const [current, ...previous] = listDataKeys(keys)
  const secret = deriveKey(current, 'contact ids')
  const secrets = [secret, ...previous.map((key) => deriveKey(key, 'contact ids'))]
  // Reused: blocks are independent in this mode, and creating a cipher takes longer than encrypting a page.
  const cipher = createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
  const encipher = (type: (typeof TYPES)[number], key: number) => {
    const block = Buffer.alloc(BYTES)
    block.writeUInt8(TYPES.indexOf(type), 0)
    block.writeDoubleBE(key, BYTES - 8)
    return cipher.update(block).toString('base64url')
  }
  return {
    /** By e-mail, else phone, else the lead alone: leads with the same e-mail have the same id. */
    encrypt: (kind: LeadKind, lead: Lead): string => {
      const { email, phone } = 'user' in lead ? lead.user : lead.sender
      const byEmail = hashEmail(email)
      if (byEmail !== NO_KEY) return encipher('email', byEmail)
      const byPhone = hashPhone(phone)
      if (byPhone !== NO_KEY) return encipher('phone', byPhone)
      return encipher(kind, hashLeadId(lead.id))
    },
    /** What the contact's leads share, or the one lead without e-mail and phone; null for a forged id. */
    decrypt: (id: string): { kind: (typeof TYPES)[number]; key: number } | null => {
      const block = Buffer.from(id, 'base64url')
      if (block.length !== BYTES || block.toString('base64url') !== id) return null
      for (const one of secrets) {
        const decipher = createDecipheriv('aes-256-ecb', one, null).setAutoPadding(false)
        const plain = Buffer.concat([decipher.update(block), decipher.final()])
        const type = TYPES[plain.readUInt8(0)]
        // The zeros authenticate the block: a forged id has them with a probability of 2^-56.
        if (type === undefined || plain.readUIntBE(1, 6) !== 0 || plain.readUInt8(7) !== 0) continue
        return { kind: type, key: plain.readDoubleBE(BYTES - 8) }
      }
      return null
    },
  }
}

export function hashLeadId(id: string): number {
  return hashToNumber(id, 3)
}
