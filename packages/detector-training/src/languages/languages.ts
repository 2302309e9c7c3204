/** A language, and where prose in it can be had. */
export interface Language {
  readonly name: string;
  /** Debian packages whose pages are split: by the hash of a page half of them may be trained with. */
  readonly split: readonly string[];
  /** Debian packages that nothing is ever trained with. */
  readonly held: readonly string[];
  /** What every text in the language has again and again, so that pages that were never translated can be told. */
  readonly frequent: RegExp;
}

const words = (list: string): RegExp => new RegExp(`(?<!\\p{L})(?:${list.replaceAll(' ', '|')})(?!\\p{L})`, 'giu');

export const languages: readonly Language[] = [
  {
    name: 'English',
    split: ['manpages', 'libreoffice-help-en-us'],
    held: ['debian-reference-en'],
    frequent: words('the a of to and is in for or be that with this it'),
  },
  {
    name: 'German',
    split: ['manpages-de', 'libreoffice-help-de'],
    held: ['debian-reference-de', 'fortunes-de'],
    frequent: words('der die das und nicht ist ein eine den zu wird mit für auf'),
  },
  {
    name: 'French',
    split: ['manpages-fr', 'libreoffice-help-fr'],
    held: ['debian-reference-fr'],
    frequent: words('le la les des est une un dans pour sur du et pas que'),
  },
  {
    name: 'Spanish',
    split: ['manpages-es', 'libreoffice-help-es'],
    held: ['debian-reference-es', 'fortunes-es'],
    frequent: words('el la los las de del es una un para por que se en'),
  },
  {
    name: 'Italian',
    split: ['manpages-it', 'libreoffice-help-it'],
    held: ['debian-reference-it'],
    frequent: words('il la di che un una per non del della con sono è si'),
  },
  {
    name: 'Portuguese',
    split: ['manpages-pt-br', 'libreoffice-help-pt-br'],
    held: ['debian-reference-pt'],
    frequent: words('o a os as de do da que para um uma não em com'),
  },
  {
    name: 'Dutch',
    split: ['manpages-nl', 'libreoffice-help-nl'],
    held: ['debian-faq-nl'],
    frequent: words('de het een van en niet is voor dat op met te wordt'),
  },
  {
    name: 'Polish',
    split: ['manpages-pl', 'libreoffice-help-pl'],
    held: ['fortunes-pl'],
    frequent: words('się nie jest na do lub z w i że dla jako to'),
  },
  {
    name: 'Russian',
    split: ['manpages-ru', 'libreoffice-help-ru'],
    held: ['debian-faq-ru'],
    frequent: words('и в не на для с по или что это из как'),
  },
  {
    name: 'Turkish',
    split: ['manpages-tr', 'libreoffice-help-tr'],
    held: [],
    frequent: words('bir ve bu için ile olarak veya da de gibi değil olan'),
  },
  {
    name: 'Czech',
    split: ['manpages-cs', 'libreoffice-help-cs'],
    held: ['fortunes-cs'],
    frequent: words('a se na je pro nebo v s že do není který'),
  },
  {
    name: 'Swedish',
    split: ['manpages-sv', 'libreoffice-help-sv'],
    held: [],
    frequent: words('och att en är i för som inte det med av om'),
  },
  {
    name: 'Japanese',
    split: ['manpages-ja', 'libreoffice-help-ja'],
    held: ['debian-reference-ja'],
    frequent: /[\u3041-\u30ff]{2}/g,
  },
  {
    name: 'Chinese',
    split: ['manpages-zh', 'libreoffice-help-zh-cn'],
    held: ['debian-reference-zh-cn'],
    frequent: /[\u4e00-\u9fff]{2}/g,
  },
  {
    name: 'Korean',
    split: ['libreoffice-help-ko'],
    held: ['debian-faq-ko'],
    frequent: /[\uac00-\ud7a3]{2}/g,
  },
];
