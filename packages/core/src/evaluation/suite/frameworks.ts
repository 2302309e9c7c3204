/** A published list with its edition: numbers change from edition to edition. */
export interface Framework {
  readonly name: string;
  readonly edition: string;
  /** Titles by id. */
  readonly entries: Readonly<Record<string, string>>;
}

/** The lists that cases are mapped to, by the field of the mapping. */
export const frameworks = {
  owasp_llm: {
    name: 'OWASP Top 10 for LLM Applications',
    edition: '2025',
    entries: {
      LLM01: 'Prompt Injection',
      LLM02: 'Sensitive Information Disclosure',
      LLM03: 'Supply Chain',
      LLM04: 'Data and Model Poisoning',
      LLM05: 'Improper Output Handling',
      LLM06: 'Excessive Agency',
      LLM07: 'System Prompt Leakage',
      LLM08: 'Vector and Embedding Weaknesses',
      LLM09: 'Misinformation',
      LLM10: 'Unbounded Consumption',
    },
  },
  owasp_agentic: {
    name: 'OWASP Top 10 for Agentic Applications',
    edition: '2026',
    entries: {
      ASI01: 'Agent Goal Hijack',
      ASI02: 'Tool Misuse and Exploitation',
      ASI03: 'Identity and Privilege Abuse',
      ASI04: 'Agentic Supply Chain Vulnerabilities',
      ASI05: 'Unexpected Code Execution',
      ASI06: 'Memory and Context Poisoning',
      ASI07: 'Insecure Inter-Agent Communication',
      ASI08: 'Cascading Failures',
      ASI09: 'Human-Agent Trust Exploitation',
      ASI10: 'Rogue Agents',
    },
  },
  nist_ai_rmf: {
    name: 'NIST AI Risk Management Framework',
    edition: '1.0',
    entries: {
      'GOVERN 6.1': 'Risks of third-party software, data and AI are addressed by policy',
      'MAP 2.3': 'Limits of the system are known from tests',
      'MAP 4.1': 'Risks of third-party components are mapped',
      'MAP 5.1': 'Likelihood and magnitude of impacts are known',
      'MEASURE 2.5': 'The system is valid and reliable',
      'MEASURE 2.6': 'The system is safe',
      'MEASURE 2.7': 'Security and resilience are evaluated',
      'MEASURE 2.10': 'Privacy risk is examined',
      'MEASURE 2.11': 'Fairness and bias are evaluated',
      'MEASURE 2.13': 'The evaluation itself is evaluated',
      'MANAGE 2.3': 'Unknown risks are responded to',
      'MANAGE 2.4': 'Systems can be disengaged',
      'MANAGE 3.1': 'Third-party resources are monitored',
      'MANAGE 4.1': 'Deployed systems are monitored',
    },
  },
  mitre_atlas: {
    name: 'MITRE ATLAS',
    edition: '5',
    entries: {
      'AML.T0029': 'Denial of AI Service',
      'AML.T0034': 'Cost Harvesting',
      'AML.T0051.000': 'LLM Prompt Injection: Direct',
      'AML.T0051.001': 'LLM Prompt Injection: Indirect',
      'AML.T0053': 'AI Agent Tool Invocation',
      'AML.T0054': 'LLM Jailbreak',
      'AML.T0056': 'Extract LLM System Prompt',
      'AML.T0057': 'LLM Data Leakage',
      'AML.T0061': 'LLM Prompt Self-Replication',
      'AML.T0062': 'Discover LLM Hallucinations',
      'AML.T0068': 'LLM Prompt Obfuscation',
      'AML.T0080': 'AI Agent Context Poisoning',
      'AML.T0086': 'Exfiltration via AI Agent Tool Invocation',
    },
  },
} as const satisfies Readonly<Record<string, Framework>>;

export type FrameworkId = keyof typeof frameworks;
export const frameworkIds = Object.keys(frameworks) as readonly FrameworkId[];

/** What a chat endpoint cannot be asked about by prompts: it is reported as not assessed, never as passed. */
export const notAssessable: Readonly<Partial<Record<FrameworkId, readonly string[]>>> = {
  owasp_llm: ['LLM04', 'LLM08'],
  owasp_agentic: ['ASI07'],
};
