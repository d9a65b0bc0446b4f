'use client'

import { useEffect, useState } from 'react'
import { lazyDialog } from '@/components/app/lazy-part'
import { setReauthenticate } from '@/lib/api/send'
import type { ProofWay } from '@/lib/contract/headers'

const ProofDialog = lazyDialog(async () => (await import('./proof-dialog')).ProofDialog, 'proof')

/** Asks for a fresh proof of identity, once for all requests that wait for one; they then continue or fail. */
export function Reauthentication() {
  const [pendingProof, setPendingProof] = useState<{ way: ProofWay; settle: (isProved: boolean) => void } | null>(null)
  useEffect(() => {
    let answer: Promise<boolean> | null = null
    setReauthenticate((way) => {
      answer ??= new Promise<boolean>((resolve) => setPendingProof({ way, settle: resolve })).finally(() => {
        answer = null
        setPendingProof(null)
      })
      return answer
    })
  }, [])
  return (
    pendingProof && (
      <ProofDialog
        way={pendingProof.way}
        onProved={() => pendingProof.settle(true)}
        onClose={() => pendingProof.settle(false)}
      />
    )
  )
}
