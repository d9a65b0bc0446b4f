import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { DialogForm, useSave, useSaveForm } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Dialog, DialogFrame } from '@/components/ui/dialog'
import { Checkbox, TextAreaField, TextField } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Loading } from '@/components/ui/load-failure'
import { api } from '@/lib/api/call'
import { templatesQuery } from '@/lib/api/queries'
import { type AnswerDraft, namedIn } from '@/lib/contacts/own-answers'
import { PLACEHOLDERS } from '@/lib/contacts/reply-mail'
import type { ReplyTemplate } from '@/lib/contract/attempts'
import { MAX_TEMPLATE_LENGTH } from '@/lib/contract/limits'

type Written = { name: string; body: string; isShared: boolean }

function useSaveAnswer({ names, ...draft }: AnswerDraft, { name, body, isShared }: Written, onSaved: () => void) {
  const t = useTranslations('reply.answers')
  const format = useFormatter()
  const named = namedIn(body, names)
  const textFault = () => {
    if (body.trim() === '') return t('textMissing')
    return named.length > 0 ? t('namesPerson', { names: format.list(named) }) : null
  }
  return useSaveForm({
    values: { ...draft, name: name.trim(), body: body.trim(), isShared },
    errors: { name: name.trim() === '' ? t('nameMissing') : null, body: textFault() },
    send: (answer) => api('POST /api/answers', { body: answer }),
    done: (_, saved) => t('saved', { name: saved.name }),
    failed: t('saveFailed'),
    refresh: 'GET /api/templates',
    onSaved,
  })
}

export function SaveAnswerDialog({ draft, onClose }: { draft: AnswerDraft; onClose: () => void }) {
  const t = useTranslations('reply.answers')
  const [written, setWritten] = useState<Written>({ name: '', body: draft.body, isShared: false })
  const isAdmin = useCurrentUser()?.isAdmin === true
  const change = (part: Partial<Written>) => setWritten({ ...written, ...part })
  const saving = useSaveAnswer(draft, written, onClose)
  return (
    <Dialog onClose={onClose} title={t('save')} shape="wide">
      <DialogForm saving={saving} save={t('saveIt')} onClose={onClose}>
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          error={saving.errorOf('name')}
          autoFocus
          maxLength={MAX_TEMPLATE_LENGTH.name}
          autoComplete="off"
          value={written.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <TextAreaField
          label={t('text')}
          hint={t('textHint', { names: PLACEHOLDERS.map((name) => `{${name}}`).join(', ') })}
          error={saving.errorOf('body')}
          lang={draft.language}
          rows={8}
          maxLength={MAX_TEMPLATE_LENGTH.body}
          value={written.body}
          onChange={(event) => change({ body: event.target.value })}
        />
        {isAdmin && (
          <Checkbox label={t('share')} checked={written.isShared} onChange={(isShared) => change({ isShared })} />
        )}
      </DialogForm>
    </Dialog>
  )
}

export function OwnAnswersDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('reply.answers')
  const reply = useTranslations('reply')
  const found = useQuery(templatesQuery)
  const own = found.data?.templates.filter(({ isOwn }) => isOwn)
  return (
    <DialogFrame title={t('own')} onClose={onClose} footer={<Button text={t('close')} onClick={onClose} />}>
      {own === undefined ? (
        <Loading found={found} failed={reply('templatesFailed')} className="h-5 w-48" />
      ) : own.length === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <ul className="divide-y divide-line-soft">
          {own.map((answer) => (
            <OwnAnswer key={answer.id} answer={answer} />
          ))}
        </ul>
      )}
    </DialogFrame>
  )
}

function OwnAnswer({ answer: { id, name, body, language } }: { answer: ReplyTemplate }) {
  const t = useTranslations('reply.answers')
  const [isAsking, setAsking] = useState(false)
  const removing = useSave({
    send: () => api('DELETE /api/answers/[id]', { params: { id } }),
    failed: t('removeFailed'),
    refresh: 'GET /api/templates',
  })
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1" lang={language}>
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-sm text-mute">{body}</p>
      </div>
      {isAsking ? (
        <>
          <Button text={t('keep')} size="sm" onClick={() => setAsking(false)} />
          <Button
            text={t('remove')}
            size="sm"
            variant="danger"
            autoFocus
            busy={removing.busy}
            onClick={() => removing.save()}
          />
        </>
      ) : (
        <IconButton icon={Trash2} label={t('removeOne', { name })} onClick={() => setAsking(true)} />
      )}
    </li>
  )
}
