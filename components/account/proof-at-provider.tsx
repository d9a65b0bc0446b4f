import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { PROOF_CHANNEL } from '@/components/signin/proof-done'
import { Button } from '@/components/ui/button'
import { FormFrame } from '@/components/ui/dialog-frame'
import { proofUrl } from '@/lib/api/auth-requests'

type ProofAtProviderProps = { onProved: () => void; onClose: () => void }

/** The provider asks in a tab of its own, so that what is being written here stays. */
export function ProofAtProvider({ onProved, onClose }: ProofAtProviderProps) {
  const t = useTranslations('proof')
  const common = useTranslations('common')
  const [state, setState] = useState<'asking' | 'waiting' | 'blocked' | 'failed'>('asking')
  useEffect(() => {
    const channel = new BroadcastChannel(PROOF_CHANNEL)
    channel.addEventListener('message', onProved)
    return () => channel.close()
  }, [onProved])
  const ask = async () => {
    // At once: browsers open a tab for a press of a button only.
    const tab = window.open('about:blank')
    if (tab === null) return setState('blocked')
    setState('waiting')
    const url = await proofUrl()
    if (url !== null) return void (tab.location.href = url)
    tab.close()
    setState('failed')
  }
  return (
    <FormFrame
      problem={state === 'blocked' || state === 'failed' ? t(state) : null}
      actions={
        <>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button variant="primary" autoFocus onClick={() => void ask()}>
            {t('atProvider')}
          </Button>
        </>
      }
    >
      <p role="status" className="text-sm text-pretty text-mute">
        {t(state === 'waiting' ? 'waiting' : 'provider')}
      </p>
    </FormFrame>
  )
}
