import { useEffect, useState } from 'react'
import { lazyDialog } from '@/components/desk/lazy-part'
import { whenProofIsNeeded } from '@/lib/api/send'

const ProofDialog = lazyDialog(async () => (await import('@/components/account/proof-dialog')).ProofDialog, 'proof')

/** The place where requests that wait for proof ask who it is: once for all of them, which then go on or give up. */
export function ProofNeeded() {
  const [asked, setAsked] = useState<{ settle: (isProved: boolean) => void } | null>(null)
  useEffect(() => {
    let answer: Promise<boolean> | null = null
    whenProofIsNeeded(() => {
      answer ??= new Promise<boolean>((resolve) => setAsked({ settle: resolve })).finally(() => {
        answer = null
        setAsked(null)
      })
      return answer
    })
  }, [])
  return asked && <ProofDialog onProved={() => asked.settle(true)} onClose={() => asked.settle(false)} />
}
