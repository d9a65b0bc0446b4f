import { Plus } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { SettingsForm } from '@/components/desk/save'
import { Button } from '@/components/ui/button'
import { Disclosure } from '@/components/ui/disclosure'
import { TextAreaField, TextField } from '@/components/ui/field'
import type { NamedTopic } from '@/lib/contract/settings'
import { locales } from '@/lib/i18n/locale'
import { isTopicWord, MAX_TOPICS, MAX_WORDS } from '@/lib/topics/topic-list'
import { useSaveWork, type WorkPartProps } from './work-from'

type Written = Pick<NamedTopic, 'id' | 'name'> & { words: string }

export function TopicsSection({ settings, onSaved }: WorkPartProps) {
  const t = useTranslations('work.topics')
  const locale = useLocale()
  const [written, setWritten] = useState(() => settings.topics.map(toWritten))
  const topics = written.map(toTopic)
  const saving = useSaveWork({ topics }, (saved) => {
    setWritten(saved.topics.map(toWritten))
    onSaved(saved)
  })
  const isSame = JSON.stringify(topics) === JSON.stringify(settings.topics)
  const add = () => setWritten([...written, { id: newId(written), name: { sv: '', en: '' }, words: '' }])
  return (
    <SettingsForm
      saving={saving}
      title={t('title')}
      lead={t('lead')}
      save={t('save')}
      disabled={isSame || !topics.every(isWhole)}
    >
      <ul className="flex flex-col gap-1.5 p-3">
        {written.map((topic, at) => (
          <li key={topic.id}>
            <Disclosure
              title={topic.name[locale].trim() || t('unnamed')}
              summary={t('words', { count: topics[at]?.words.length ?? 0 })}
            >
              <TopicFields
                topic={topic}
                onChange={(part) => setWritten(written.map((one) => (one === topic ? { ...one, ...part } : one)))}
                onRemove={() => setWritten(written.filter((one) => one !== topic))}
              />
            </Disclosure>
          </li>
        ))}
      </ul>
      <div className="px-4 pb-3">
        <Button
          icon={Plus}
          text={t('add')}
          variant="ghost"
          size="sm"
          disabled={written.length >= MAX_TOPICS}
          onClick={add}
        />
      </div>
    </SettingsForm>
  )
}

type TopicFieldsProps = { topic: Written; onChange: (part: Partial<Written>) => void; onRemove: () => void }

function TopicFields({ topic, onChange, onRemove }: TopicFieldsProps) {
  const t = useTranslations('work.topics')
  const format = useFormatter()
  const locale = useLocale()
  const { name, words } = topic
  const listed = wordsOf(words)
  const wrong = listed.filter((word) => !isTopicWord(word))
  const fault = listed.length > MAX_WORDS ? t('tooMany', { count: String(MAX_WORDS) }) : undefined
  return (
    <div className="flex flex-col items-start gap-3 p-1">
      <div className="grid w-full grid-cols-1 gap-3 desk:grid-cols-2">
        {locales.map((language) => (
          <TextField
            key={language}
            label={t(`name.${language}`)}
            maxLength={40}
            value={name[language]}
            onChange={({ target }) => onChange({ name: { ...name, [language]: target.value } })}
          />
        ))}
      </div>
      <div className="w-full">
        <TextAreaField
          label={t('wordList')}
          hint={t('hint')}
          error={wrong.length > 0 ? t('wrong', { words: format.list(wrong.slice(0, 3)) }) : fault}
          rows={4}
          value={words}
          onChange={({ target }) => onChange({ words: target.value })}
        />
      </div>
      <Button text={t('remove', { name: name[locale] || t('unnamed') })} variant="ghost" size="sm" onClick={onRemove} />
    </div>
  )
}

function wordsOf(text: string): string[] {
  const words = text.split(/[,\n]/).map((word) => word.trim().replace(/\s+/g, ' '))
  return [...new Set(words.filter((word) => word !== ''))]
}

function toWritten({ words, ...topic }: NamedTopic): Written {
  return { ...topic, words: words.join(', ') }
}

function toTopic({ id, name, words }: Written): NamedTopic {
  return { id, name: { sv: name.sv.trim(), en: name.en.trim() }, words: wordsOf(words) }
}

function isWhole({ name, words }: NamedTopic): boolean {
  const isInRange = words.length > 0 && words.length <= MAX_WORDS
  return name.sv !== '' && name.en !== '' && isInRange && words.every(isTopicWord)
}

function newId(topics: readonly Written[]): string {
  const numbers = topics.map(({ id }) => Number(/^topic(\d+)$/.exec(id)?.[1] ?? 0))
  return `topic${Math.max(0, ...numbers) + 1}`
}
