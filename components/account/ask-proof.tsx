import type { ReactNode } from 'react'
import { ProofDialog } from './proof-dialog'

let asked: Promise<boolean> | null = null

/** Asks the person once for all requests that wait for it; whether they have shown who they are. */
export function askProof(show: (dialog: ReactNode) => void): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    const settle = (isProved: boolean) => {
      asked = null
      show(null)
      resolve(isProved)
    }
    show(<ProofDialog onProved={() => settle(true)} onClose={() => settle(false)} />)
  })
  return asked
}
