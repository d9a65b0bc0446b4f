/** The same keys as the Swedish messages, with words of its own; `satisfies` refuses a missing or extra key. */
export type Translated<Messages> = {
  readonly [Key in keyof Messages]: Messages[Key] extends string ? string : Translated<Messages[Key]>
}
