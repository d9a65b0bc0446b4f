'use client'

import { useEffect, useState } from 'react'
import { useShown } from '@/components/browser/shown-state'
import { leaving } from '@/components/browser/unsaved-work'
import { lazyDialog, lazyPart } from '@/components/desk/lazy-part'
import { setReauthenticate } from '@/lib/api/send'
import type { ProofWay } from '@/lib/contract/headers'

const Leave = lazyPart(async () => (await import('@/components/desk/leave')).Leave, null, 'leave')

/** Asks before a text is lost, and signs out. */
export function LeavingQuestion() {
  const now = useShown(leaving, (what) => what)
  return now && <Leave leaving={now} />
}

const ProofDialog = lazyDialog(async () => (await import('@/components/account/proof-dialog')).ProofDialog, 'proof')

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
