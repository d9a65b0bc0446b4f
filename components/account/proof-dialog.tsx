import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'

import { PasswordField, refusalOf } from '@/components/signin/password-field'
import { PROOF_CHANNEL } from '@/components/signin/proof-done'
import { DialogForm, useSave } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Dialog, FormFrame } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { singleSignOnUrl } from '@/lib/api/auth-requests'
import { api } from '@/lib/api/call'

import type { GivenProof } from '@/lib/contract/account'
import { PROOF_PAGE, PROOF_PROMPT, type ProofWay } from '@/lib/contract/headers'

type ProofProps = { onProved: () => void; onClose: () => void }

export function ProofDialog({ way, ...props }: ProofProps & { way: ProofWay }) {
  const t = useTranslations('proof')
  return (
    <Dialog onClose={props.onClose} title={t('title')}>
      {way === 'provider' ? <ProofAtProvider {...props} /> : <ProofForm field={way} {...props} />}
    </Dialog>
  )
}

/** The provider asks in a tab of its own, so that what is being written here stays. */
function ProofAtProvider({ onProved, onClose }: ProofProps) {
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
    const url = await singleSignOnUrl(PROOF_PAGE, PROOF_PROMPT)
    if (url !== null) return void (tab.location.href = url)
    tab.close()
    setState('failed')
  }
  return (
    <FormFrame
      problem={state === 'blocked' || state === 'failed' ? t(state) : null}
      actions={
        <>
          <Button text={common('cancel')} onClick={onClose} />
          <Button text={t('atProvider')} variant="primary" autoFocus onClick={() => void ask()} />
        </>
      }
    >
      <p role="status" className="text-sm text-pretty text-mute">
        {t(state === 'waiting' ? 'waiting' : 'provider')}
      </p>
    </FormFrame>
  )
}

function ProofForm({ field, onProved, onClose }: ProofProps & { field: 'password' | 'code' }) {
  const t = useTranslations('proof')
  const { save, busy, error } = useSave({
    send: (body: GivenProof) => api('POST /api/account/proof', { body }),
    failed: () => null,
    onSaved: onProved,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get(field))
    save(field === 'password' ? { password: text } : { code: text })
  }
  const shared = {
    label: t(field),
    error: error === null ? undefined : t(refusalOf(error)),
    name: field,
    autoFocus: true,
  }
  return (
    <DialogForm
      saving={{ form: { method: 'post', onSubmit: submit }, busy, problem: null }}
      save={t('confirm')}
      onClose={onClose}
    >
      <p className="text-sm text-pretty text-mute">{t('body')}</p>
      {field === 'password' ? (
        <PasswordField {...shared} autoComplete="current-password" />
      ) : (
        <TextField {...shared} required autoComplete="one-time-code" maxLength={40} className="tabular" />
      )}
    </DialogForm>
  )
}

export function SessionLostDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell.sessionLost')
  const callbackUrl = location.pathname + location.search
  return (
    <Dialog onClose={onClose} title={t('title')} insistent>
      <div data-hides-page className="flex flex-col gap-5 px-5 pb-5">
        <p className="text-sm text-mute">{t('body')}</p>
        <a
          href={`/signin?${new URLSearchParams({ callbackUrl })}`}
          className={buttonClass({ variant: 'primary', size: 'lg' })}
        >
          {t('signIn')}
        </a>
      </div>
    </Dialog>
  )
}
