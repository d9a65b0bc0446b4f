import { useTranslations } from 'next-intl'
import { type FormEvent, useEffect, useState } from 'react'
import { PasswordField, refusalOf } from './password-fields'
import { DialogForm, useSave } from '@/components/app/save'
import { Button } from '@/components/ui/button'
import { Dialog, FormFrame } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { singleSignOnUrl } from '@/lib/api/auth-requests'
import { api } from '@/lib/api/call'
import type { GivenProof } from '@/lib/contract/account'
import { PROOF_CHANNEL, PROOF_PAGE, PROOF_PROMPT, type ProofWay } from '@/lib/contract/headers'

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
  const [state, setState] = useState<'asking' | 'waiting' | 'failed'>('asking')
  useEffect(() => {
    const channel = new BroadcastChannel(PROOF_CHANNEL)
    channel.addEventListener('message', onProved)
    return () => channel.close()
  }, [onProved])
  const ask = async () => {
    // The tab opens before the address is known: browsers open one for a press of a button only.
    const tab = window.open('about:blank')
    setState('waiting')
    const url = tab && (await singleSignOnUrl(PROOF_PAGE, PROOF_PROMPT))
    if (url) return tab.location.assign(url)
    tab?.close()
    setState('failed')
  }
  return (
    <FormFrame
      problem={state === 'failed' ? t('notOpened') : null}
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
