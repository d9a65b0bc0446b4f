import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { type ChangeEvent, useEffect, useMemo, useRef, useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { CopyTextButton } from '@/components/desk/copy'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { Dialog, FormFrame } from '@/components/ui/dialog'
import { TextAreaField } from '@/components/ui/field'
import { keyOf } from '@/lib/api/call'
import { highSchools } from '@/lib/api/queries'
import type { User } from '@/lib/contract/user'
import { figuresCsv, neutralizeFormulas } from '@/lib/export/csv'
import type { Locale } from '@/lib/i18n/locale'
import { type Added, addPeople, type Todo } from './add-people'
import { COLUMNS, MAX_FILE_BYTES, MAX_PEOPLE, type PeopleTable, readPeople, textOfFile } from './people-file'
import { PeopleRows } from './people-rows'

type Props = { users: readonly User[]; canMail: boolean; onClose: () => void }

export function AddPeopleDialog({ users, canMail, onClose }: Props) {
  const t = useTranslations('adminUsers')
  const locale = useLocale()
  const schools = useQuery(highSchools)
  const [text, setText] = useState('')
  const { added, isRunning, start, stop } = useAdding()
  const known = schools.data?.highSchools
  const table = useMemo(
    () => (known ? readPeople(text, { users, schools: known }) : { rows: [] }),
    [text, users, known],
  )
  const rows = 'rows' in table ? table.rows : []
  // Not by the table, which may be edited meanwhile.
  const made = [...added].flatMap(([email, one]) => (one.kind === 'made' ? [[one.name, email, one.url]] : []))
  const hasTokens = made.some(([, , url]) => url?.includes('#'))
  const open = rows.filter(({ email }) => added.get(email)?.kind !== 'made')
  const todo = open.flatMap(({ plan }) => (plan.kind === 'new' ? [plan.person] : []))
  const wrong = rows.filter(({ plan }) => plan.kind === 'wrong').length
  const there = open.filter(({ plan }) => plan.kind === 'there' || plan.kind === 'differs').length
  const counts = { new: todo.length, made: made.length, wrong, there }
  const add = (mail?: Locale) => ({ busy: isRunning, onClick: () => void start(todo, mail) })
  const actions = (
    <>
      {made.length > 0 ? <Links links={made} /> : <FileButton onText={setText} />}
      <Button text={t(isRunning ? 'import.stop' : 'import.close')} onClick={isRunning ? stop : onClose} />
      {todo.length > 0 && canMail && <Button {...add()} text={t('import.addOnly')} />}
      {todo.length > 0 && (
        <Button
          text={t(canMail ? 'import.addAndMail' : 'import.add', { count: todo.length })}
          variant="primary"
          {...add(canMail ? locale : undefined)}
        />
      )}
    </>
  )
  return (
    <Dialog title={t('import.title')} onClose={onClose} shape="wide" insistent={text !== '' || made.length > 0}>
      <FormFrame problem={schools.isError ? t('schools.failed') : null} actions={actions}>
        <TableField text={text} table={table} onText={setText} />
        <p role="status" className="tabular text-sm font-medium empty:hidden">
          {rows.length > 0 && t('import.counts', counts)}
        </p>
        {made.length > 0 && <p className="text-sm text-mute">{t(hasTokens ? 'import.linksHint' : 'signInHint')}</p>}
        {rows.length > 0 && <PeopleRows rows={rows} added={added} />}
      </FormFrame>
    </Dialog>
  )
}

function useAdding() {
  const client = useQueryClient()
  const running = useRef<AbortController>(null)
  const [isRunning, setRunning] = useState(false)
  const [added, setAdded] = useState<ReadonlyMap<string, Added>>(new Map())
  useEffect(() => () => running.current?.abort(), [])
  const start = async (people: Todo, mail: Locale | undefined) => {
    const { signal } = (running.current = new AbortController())
    setRunning(true)
    const onAdded = (email: string, one: Added) => setAdded((before) => new Map(before).set(email, one))
    await addPeople(people, { mail, signal, onAdded })
    setRunning(false)
    await client.invalidateQueries({ queryKey: keyOf('GET /api/users') })
  }
  return { added, isRunning, start, stop: () => running.current?.abort() }
}

function TableField({ text, table, onText }: { text: string; table: PeopleTable; onText: (text: string) => void }) {
  const t = useTranslations('adminUsers')
  const wordOf = (column: (typeof COLUMNS)[number]) => t(column === 'schools' ? 'schools.legend' : `field.${column}`)
  const names = 'missing' in table ? table.missing.map(wordOf).join(', ') : ''
  const isWrong = 'problem' in table && text.trim() !== ''
  return (
    <TextAreaField
      autoFocus
      label={t('import.table', { count: String(MAX_PEOPLE) })}
      hint={t('import.hint')}
      error={isWrong ? t(`import.problem.${table.problem}`, { count: String(MAX_PEOPLE), names }) : undefined}
      placeholder={`${COLUMNS.map(wordOf).join(';')}\n${t('import.example')}`}
      rows={5}
      spellCheck={false}
      value={text}
      onChange={({ target }) => onText(target.value)}
      className="font-mono text-sm whitespace-pre"
    />
  )
}

function FileButton({ onText }: { onText: (text: string) => void }) {
  const t = useTranslations('adminUsers.import')
  const take = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    // What is cut off is too much anyway.
    const bytes = await target.files?.[0]?.slice(0, MAX_FILE_BYTES).arrayBuffer()
    if (bytes) onText(textOfFile(new Uint8Array(bytes)))
    target.value = ''
  }
  return (
    <label className={buttonClass({ className: 'relative mr-auto has-focus-visible:outline-2' })}>
      {t('choose')}
      <input type="file" accept=".csv,.txt,text/csv" onChange={(event) => void take(event)} className="sr-only" />
    </label>
  )
}

function Links({ links }: { links: string[][] }) {
  const t = useTranslations('adminUsers')
  const table = links.map((row) => row.map(neutralizeFormulas).join('\t')).join('\n')
  const columns = [t('field.name'), t('field.email'), t('inviteLink')]
  const save = () => saveFile(`${t('import.file')}.csv`, new Blob([figuresCsv({ columns, rows: links })]))
  return (
    <>
      <CopyTextButton autoFocus copies={table} text={t('import.copy', { count: links.length })} />
      <Button text={t('import.download')} onClick={save} />
    </>
  )
}
