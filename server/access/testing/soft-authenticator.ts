import 'server-only'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { PasskeyAssertion, PasskeyRegistration } from '@/lib/contract/account'

type Answering = { challenge: string; origin?: string; isVerified?: boolean; counter?: number }

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** A passkey in memory, which answers as a browser with a device would (Web Authentication, level 3, section 6). */
export function softAuthenticator({ rpId = 'intag.test', from = 'https://intag.test' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const rpIdHash = createHash('sha256').update(rpId).digest()
  const clientData = (type: string, { challenge, origin = from }: Answering) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (flags: number, { isVerified = true, counter = 0 }: Answering) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([rpIdHash, Buffer.from([flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)]), count])
  }
  const named = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} } as const

  return {
    id: text(id),
    register(answering: Answering): PasskeyRegistration {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const key = cosePublicKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))
      const data = [authenticatorData(HAS_CREDENTIAL, answering), Buffer.alloc(16), length, id, key]
      return {
        ...named,
        response: {
          clientDataJSON: text(clientData('webauthn.create', answering)),
          attestationObject: text(attestationOf(Buffer.concat(data))),
        },
      }
    },
    sign(answering: Answering): PasskeyAssertion {
      const client = clientData('webauthn.get', answering)
      const data = authenticatorData(0, answering)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return {
        ...named,
        response: {
          clientDataJSON: text(client),
          authenticatorData: text(data),
          signature: text(sign('sha256', signed, privateKey)),
        },
      }
    },
  }
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}

/** ES256 on P-256 as CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053). */
function cosePublicKey(x: Buffer, y: Buffer): Buffer {
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  return Buffer.concat([head, Buffer.from([0x21, 0x58, 32]), x, Buffer.from([0x22, 0x58, 32]), y])
}

/** {"fmt": "none", "attStmt": {}, "authData": …} as CBOR. */
function attestationOf(authData: Buffer): Buffer {
  const word = (name: string) => Buffer.concat([Buffer.from([0x60 + name.length]), Buffer.from(name)])
  const head = [Buffer.from([0xa3]), word('fmt'), word('none'), word('attStmt'), Buffer.from([0xa0]), word('authData')]
  return Buffer.concat([...head, Buffer.from([0x58, authData.length]), authData])
}
