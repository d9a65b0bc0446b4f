import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { DialogForm, useSaveForm } from '@/components/app/save-form'
import { Button } from '@/components/ui/button'
import { Dialog, FormFrame } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { classifyCredentialError, postSingleSignOn } from '@/lib/api/auth-requests'
import { api } from '@/lib/api/call'
import { PROOF_CHANNEL, PROOF_PAGE, PROOF_PROMPT, type ProofMethod } from '@/lib/contract/headers'
import { PasswordField } from './password-fields'

type ProofProps = { onProved: () => void; onClose: () => void }

export function ProofDialog({ method, ...props }: ProofProps & { method: ProofMethod }) {
  const t = useTranslations('proof')
  return (
    <Dialog onClose={props.onClose} title={t('title')}>
      {method === 'provider' ? <ProofAtProvider {...props} /> : <ProofForm method={method} {...props} />}
    </Dialog>
  )
}

/** The provider asks in another tab, so that this one keeps what the user is writing. */
function ProofAtProvider({ onProved, onClose }: ProofProps) {
  const t = useTranslations('proof')
  const tCommon = useTranslations('common')
  const [stage, setStage] = useState<'ready' | 'waiting' | 'failed'>('ready')
  useEffect(() => {
    const channel = new BroadcastChannel(PROOF_CHANNEL)
    channel.addEventListener('message', onProved)
    return () => channel.close()
  }, [onProved])
  const askProvider = async () => {
    // The tab opens before its address is known, because browsers open one only for the press of a button.
    const tab = window.open('about:blank')
    setStage('waiting')
    const url = tab && (await postSingleSignOn(PROOF_PAGE, PROOF_PROMPT))
    if (url) return tab.location.assign(url)
    tab?.close()
    setStage('failed')
  }
  return (
    <FormFrame
      problem={stage === 'failed' ? t('notOpened') : null}
      actions={
        <>
          <Button text={tCommon('cancel')} onClick={onClose} />
          <Button text={t('atProvider')} variant="primary" autoFocus onClick={() => void askProvider()} />
        </>
      }
    >
      <p role="status" className="text-sm text-pretty text-mute">
        {t(stage === 'waiting' ? 'waiting' : 'provider')}
      </p>
    </FormFrame>
  )
}

function ProofForm({ method, onProved, onClose }: ProofProps & { method: 'password' | 'code' }) {
  const t = useTranslations('proof')
  const [text, setText] = useState('')
  const saving = useSaveForm({
    values: method === 'password' ? { password: text } : { code: text },
    send: (body) => api('POST /api/account/proof', { body }),
    failureMessage: (error) => ({ [method]: t(classifyCredentialError(error)) }),
    onSaved: onProved,
  })
  const fieldProps = {
    label: t(method),
    error: saving.getFieldError(method),
    required: true,
    autoFocus: true,
    value: text,
    onChange: ({ target }: { target: HTMLInputElement }) => setText(target.value),
  }
  return (
    <DialogForm saving={saving} saveLabel={t('confirm')} onClose={onClose}>
      <p className="text-sm text-pretty text-mute">{t('body')}</p>
      {method === 'password' ? (
        <PasswordField {...fieldProps} autoComplete="current-password" />
      ) : (
        <TextField {...fieldProps} autoComplete="one-time-code" maxLength={40} className="tabular" />
      )}
    </DialogForm>
  )
}
