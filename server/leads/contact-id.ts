import { createCipheriv, createDecipheriv } from 'node:crypto'
import { hashEmail, hashPhone, hashToNumber, NO_KEY, readContactDetails } from '@/lib/contacts/contact-key'
import type { Lead, LeadKind } from '@/lib/contract/lead'
import { deriveKey } from '@/server/base/seal'

/** An id holds the index of its key's type, so a new type must come last. */
const KEY_TYPES = ['email', 'phone', 'asked-question', 'declaration-of-interest'] as const
type KeyType = (typeof KEY_TYPES)[number]

const BLOCK_BYTES = 16

/** An id is the contact's key, encrypted as one block of AES (FIPS 197), so that nobody can test a guessed e-mail. */
export function createContactIds(dataKey: Uint8Array) {
  const secret = deriveKey(dataKey, 'contact ids')
  // One cipher serves all ids: its blocks are independent, and creating one takes longer than encrypting a page.
  const cipher = createCipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
  const encryptKey = (type: KeyType, key: number) => {
    const block = Buffer.alloc(BLOCK_BYTES)
    block.writeUInt8(KEY_TYPES.indexOf(type), 0)
    block.writeDoubleBE(key, BLOCK_BYTES - 8)
    return cipher.update(block).toString('base64url')
  }
  return {
    /** The id comes from the e-mail, or else the phone, or else the lead's own id. */
    createId: (kind: LeadKind, lead: Lead): string => {
      const { email, phone } = readContactDetails(lead)
      const emailKey = hashEmail(email)
      if (emailKey !== NO_KEY) return encryptKey('email', emailKey)
      const phoneKey = hashPhone(phone)
      if (phoneKey !== NO_KEY) return encryptKey('phone', phoneKey)
      return encryptKey(kind, hashLeadId(lead.id))
    },
    /** Returns the key of an e-mail, of a phone, or of a lead that has neither; null for a forged id. */
    readId: (id: string): { type: KeyType; key: number } | null => {
      const block = Buffer.from(id, 'base64url')
      if (block.length !== BLOCK_BYTES || block.toString('base64url') !== id) return null
      const decipher = createDecipheriv('aes-256-ecb', secret, null).setAutoPadding(false)
      const plainBlock = Buffer.concat([decipher.update(block), decipher.final()])
      const type = KEY_TYPES[plainBlock.readUInt8(0)]
      // The zeros authenticate the block: a forged id has them with a probability of 2^-56.
      if (type === undefined || plainBlock.readUIntBE(1, 6) !== 0 || plainBlock.readUInt8(7) !== 0) return null
      return { type, key: plainBlock.readDoubleBE(BLOCK_BYTES - 8) }
    },
  }
}

export function hashLeadId(id: string): number {
  // The seed is 3, because e-mails and phones have 1 and 2 (`hashEmail`, `hashPhone`).
  return hashToNumber(id, 3)
}
