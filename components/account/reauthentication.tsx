'use client'

import { useEffect, useState } from 'react'
import { lazyDialog } from '@/components/app/lazy-part'
import { setReauthenticate } from '@/lib/api/send'
import type { ProofWay } from '@/lib/contract/headers'

const ProofDialog = lazyDialog(async () => (await import('./proof-dialog')).ProofDialog, 'proof')

/** The place where requests that wait for proof ask who it is: once for all of them, which then go on or give up. */
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
