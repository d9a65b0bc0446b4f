import { useTranslations } from 'next-intl'
import { useEffect, useRef, useState } from 'react'
import { CopyTextButton } from '@/components/desk/copy'
import { DialogForm, useSaveForm } from '@/components/desk/save'
import { buttonClass } from '@/components/ui/button-class'
import { Dialog } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { QrCode } from '@/components/ui/qr-code'
import { type Answer, api } from '@/lib/api/call'
import { hasStatus } from '@/lib/api/send'

type NewTotp = Answer<'POST /api/account/second-factors/totp'>
type AddedFactor = Answer<'POST /api/account/second-factors/totp/confirm'>
type AddFactorProps = { onAdded: (added: AddedFactor) => void; onClose: () => void }

export function AddTotpDialog({ onAdded, onClose }: AddFactorProps) {
  const t = useTranslations('account.totp')
  const [newFactor, setNewFactor] = useState<NewTotp | null>(null)
  return (
    <Dialog onClose={onClose} title={t('title')}>
      {newFactor === null ? (
        <TotpNameForm onCreated={setNewFactor} onClose={onClose} />
      ) : (
        <TotpCodeForm newFactor={newFactor} onAdded={onAdded} onClose={onClose} />
      )}
    </Dialog>
  )
}

function TotpNameForm({ onCreated, onClose }: { onCreated: (newFactor: NewTotp) => void; onClose: () => void }) {
  const t = useTranslations('account.totp')
  const [name, setName] = useState(t('defaultName'))
  const saving = useSaveForm({
    values: name,
    send: () => api('POST /api/account/second-factors/totp', { body: { name } }),
    onSaved: onCreated,
  })
  return (
    <DialogForm saving={saving} save={t('next')} onClose={onClose}>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        value={name}
        onChange={({ target }) => setName(target.value)}
        autoComplete="off"
        required
        pattern=".*\S.*"
        maxLength={60}
        autoFocus
      />
    </DialogForm>
  )
}

function TotpCodeForm({ newFactor: { id, secret, uri }, onAdded, onClose }: AddFactorProps & { newFactor: NewTotp }) {
  const t = useTranslations('account.totp')
  const factors = useTranslations('account.factors')
  const [code, setCode] = useState('')
  const saving = useSaveForm({
    values: { id, code },
    send: (body) => api('POST /api/account/second-factors/totp/confirm', { body }),
    done: factors('totpAdded'),
    failed: (error) => (hasStatus(error, 400) ? { code: t('wrong') } : undefined),
    onSaved: onAdded,
  })
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (saving.error !== null) field.current?.select()
  }, [saving.error])
  return (
    <DialogForm saving={saving} save={t('confirm')} onClose={onClose}>
      <p className="text-sm text-pretty text-mute">{t('scan')}</p>
      <QrCode text={uri} label={t('qrLabel')} className="mx-auto size-52 max-w-full" />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-sm text-mute">
        <p className="min-w-0 flex-1 basis-60">
          {t('typeKey')}{' '}
          <code className="block font-mono wrap-anywhere text-ink">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        </p>
        <span className="flex flex-wrap gap-2">
          <a href={uri} className={buttonClass({ size: 'sm', className: 'not-touch:hidden' })}>
            {t('openApp')}
          </a>
          <CopyTextButton size="sm" copies={secret} text={t('copyKey')} />
        </span>
      </div>
      <TextField
        label={t('code')}
        error={saving.errorOf('code')}
        ref={field}
        // On a touch screen the keyboard would cover the picture.
        autoFocus={!matchMedia('(pointer: coarse)').matches}
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9 ]{6,8}"
        required
        maxLength={8}
        className="tabular"
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
    </DialogForm>
  )
}
