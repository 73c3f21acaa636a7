"""make_eval_metric in the Trainer of transformers, and a metric in evaluate."""

import os

# Nothing is fetched: the model and the data are made here.
os.environ["HF_HUB_OFFLINE"] = "1"

import datasets
import evaluate
import numpy as np
import pytest
import torch
from sklearn import metrics as sk
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

from skmetrics_ext import make_eval_metric, negative_predictive_value

RNG = np.random.default_rng(0)
TEXTS = RNG.integers(1, 20, (190, 6))
LABELS = TEXTS.max(axis=1) % 3
SAMPLES = [
    {"input_ids": ids, "labels": int(label)} for ids, label in zip(TEXTS, LABELS, strict=True)
]
N_TRAIN = 100


@pytest.mark.parametrize("name", ["f1_macro", "false_positive_rate_macro"])
def test_the_trainer_keeps_the_best_epoch(name, tmp_path):
    torch.manual_seed(0)
    sizes = {
        "hidden_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "intermediate_size": 16,
    }
    model = BertForSequenceClassification(BertConfig(vocab_size=20, num_labels=3, **sizes))
    metric = make_eval_metric(name, scores="margins", classes=[0, 1, 2])
    trainer = Trainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(tmp_path),
            num_train_epochs=4,
            learning_rate=0.02,
            eval_strategy="epoch",
            save_strategy="epoch",
            load_best_model_at_end=True,
            metric_for_best_model=metric.__name__,
            greater_is_better=metric.greater_is_better,
            per_device_eval_batch_size=16,
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=SAMPLES[:N_TRAIN],
        eval_dataset=SAMPLES[N_TRAIN:],
        compute_metrics=metric.compute_metrics,
    )
    trainer.train()
    values = [row[f"eval_{name}"] for row in trainer.state.log_history if f"eval_{name}" in row]
    assert len({*values}) > 1
    predicted = trainer.predict(SAMPLES[N_TRAIN:]).predictions.argmax(axis=1)
    true = LABELS[N_TRAIN:]
    if name == "f1_macro":
        best, by_hand = max(values), sk.f1_score(true, predicted, average="macro")
    else:
        negatives = sk.multilabel_confusion_matrix(true, predicted)[:, 0]
        best, by_hand = min(values), (negatives[:, 1] / negatives.sum(axis=1)).mean()
    assert by_hand == pytest.approx(best)


def test_transformers_guesses_from_the_name_what_is_better(tmp_path):
    options = {"output_dir": str(tmp_path), "report_to": [], "use_cpu": True}
    guessed = {
        name: TrainingArguments(metric_for_best_model=name, **options).greater_is_better
        for name in ("f1_macro", "false_positive_rate", "expected_cost", "hamming_loss")
    }
    assert guessed == {
        "f1_macro": True,
        "false_positive_rate": True,
        "expected_cost": True,
        "hamming_loss": False,
    }
    assert make_eval_metric("false_positive_rate").greater_is_better is False


class NegativePredictiveValue(evaluate.Metric):
    """The recipe."""

    def _info(self):
        label = datasets.Value("int64")
        features = datasets.Features({"predictions": label, "references": label})
        return evaluate.MetricInfo(description="tn / (tn + fn)", citation="", features=features)

    def _compute(self, predictions, references, **options):
        return {"npv": negative_predictive_value(references, predictions, **options)}


def test_evaluate_computes_a_metric_from_batches(tmp_path):
    metric = NegativePredictiveValue(cache_dir=str(tmp_path))
    assert metric.compute(predictions=[0, 1, 0, 0], references=[0, 1, 1, 0]) == {"npv": 2 / 3}
    for predictions, references in ([0, 1], [0, 1]), ([0, 0], [1, 0]):
        metric.add_batch(predictions=predictions, references=references)
    assert metric.compute(pos_label=0) == {"npv": 1.0}
